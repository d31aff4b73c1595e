"""The program of one of several processes that train a network, each on its own device."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from opperf.core.frameworks.registry import find_framework
from opperf.measuring.worker.limits import let_crashes_show
from opperf.networks.measuring.messages import Sender
from opperf.networks.measuring.ranks import RankAttempt
from opperf.networks.measuring.task import model_task_from

if TYPE_CHECKING:
    from collections.abc import Sequence

REPORTED = 73
"""The exit status of a process whose record says why it could not go on."""


def main(arguments: Sequence[str]) -> None:
    """Carry out a task that is given as JSON, and send its record."""
    given, rank = json.loads(arguments[0]), int(os.environ["RANK"])
    sender = Sender(rank)
    room = import_module(f"opperf.networks.{given['task']['framework']}.distributed")
    task = model_task_from(given["task"])
    device = room.device_of_rank(task.device, rank)
    task = replace(task, device=device, request={**task.request, "device": device})
    framework = find_framework(task.framework)
    framework.load(task.settings.threads)
    framework.device(device)
    let_crashes_show()
    ranks = room.TorchRanks(device)
    attempt = RankAttempt(
        task, framework, sender.send if rank == 0 else lambda _seconds: None, ranks=ranks,
        processors=tuple(given["processors"]),
    )  # fmt: skip
    (record,) = attempt.records(task.rows, lambda *_: None)
    sender.send(record)
    sys.stdout.flush()
    if record["status"] in {"failed", "unsupported", "out_of_memory"}:
        os._exit(REPORTED)  # at once: the others may wait for what will not come
    ranks.leave()

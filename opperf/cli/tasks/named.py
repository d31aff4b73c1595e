"""The task that a command line names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote_path
from opperf.tasks.file import find_task, read_sections
from opperf.tasks.section import MOST_GPUS

if TYPE_CHECKING:
    from argparse import Namespace

    from opperf.tasks.task import ScriptTask


def named_task(arguments: Namespace, name: str | None) -> tuple[ScriptTask, int]:
    """Return the task that is asked for, and for how many GPUs.

    Raises:
        UsageError: None is named, or it is wrong.
    """
    path = Path(arguments.config)
    if name is None:
        names = ", ".join(read_sections(path)) or "none"
        raise UsageError(f"name a task of {quote_path(path)}: {names}")
    task = find_task(path, name)
    num_gpus = task.num_gpus if arguments.num_gpus is None else arguments.num_gpus
    if not 0 <= num_gpus <= MOST_GPUS:
        raise UsageError(f"--num-gpus {num_gpus}: must be from 0 to {MOST_GPUS}")
    return task, num_gpus

"""Several processes of PyTorch, one a device: torchrun's launcher, and the group they form."""

from __future__ import annotations

import logging
import os
import signal
import sys
from datetime import timedelta
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import torch
from torch import distributed
from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
from torch.distributed.elastic.rendezvous.api import RendezvousConnectionError
from torch.distributed.launcher.api import LaunchConfig, elastic_launch
from torch.nn.parallel import DistributedDataParallel

from opperf.core.errors import UsageError
from opperf.networks.port import port_in_use

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PATIENCE = 300
"""Seconds that a process waits for the others, when they meet and in each exchange."""
HOST = "localhost"
LOOPBACK = "lo"
"""The interface that gloo takes: all processes are on this machine."""


def launch(program: Sequence[str], count: int, port: int = 0) -> Mapping[int, int]:
    """Run a program of Python in so many processes; return how those ended that failed.

    They meet at a port of this machine, a free one where none is named. Where one fails, all are
    ended. The statuses are negative for a signal.

    Raises:
        UsageError: the port is in use.
    """
    logging.getLogger("torch.distributed.elastic").setLevel(logging.CRITICAL)
    config = LaunchConfig(
        min_nodes=1, max_nodes=1, nproc_per_node=count, max_restarts=0, run_id=token_hex(8),
        rdzv_backend="c10d", rdzv_endpoint=f"{HOST}:{port}", local_addr=HOST,
        rdzv_configs={"timeout": PATIENCE, "is_host": True},
        logs_specs=DefaultLogsSpecs(log_dir=os.devnull),
    )  # fmt: skip
    try:
        elastic_launch(config, sys.executable)(*program)
    except ChildFailedError as error:
        return by_themselves({rank: each.exitcode for rank, each in error.failures.items()})
    except RendezvousConnectionError as error:
        raise UsageError(port_in_use(port)) from error
    return {}


def by_themselves(statuses: Mapping[int, int]) -> Mapping[int, int]:
    """Return those that the launcher has not ended because of another one, the first one first."""
    own = {rank: status for rank, status in statuses.items() if status != -signal.SIGTERM}
    return own or statuses


def device_of_rank(device: str, rank: int) -> str:
    """Return where a process computes: on its own GPU, from the first that is named on."""
    kind, _, first = device.partition(":")
    return device if kind == "cpu" else f"{kind}:{int(first or 0) + rank}"


def check_devices(device: str, count: int) -> None:
    """Raise UsageError where there are not as many GPUs."""
    kind, _, first = device.partition(":")
    there = count if kind == "cpu" else torch.cuda.device_count() - int(first or 0)
    if there < count:
        raise UsageError(f"--num_gpus {count}: there are {max(there, 0)} from {device} on")


class TorchRanks:
    """This process among those that were launched with it; the first of them leads.

    Gradients go through nccl between GPUs, all else through gloo.
    """

    def __init__(self, device: str) -> None:
        if sys.platform == "linux":
            os.environ.setdefault("GLOO_SOCKET_IFNAME", LOOPBACK)
        backend = "gloo" if device == "cpu" else "cpu:gloo,cuda:nccl"
        distributed.init_process_group(backend, timeout=timedelta(seconds=PATIENCE))
        self.rank, self.ranks = distributed.get_rank(), distributed.get_world_size()

    def share(self, trainer: Any) -> None:
        """Let the backward of a trainer average the gradients over all processes."""
        if trainer.training:
            trainer.network = DistributedDataParallel(trainer.model)

    def announce(self, what: int, count: int = 1) -> None:
        """Tell the others what comes next; only the first process does."""
        if self.rank == 0:
            distributed.broadcast(torch.tensor([what, count]), 0)

    def hear(self) -> tuple[int, int]:
        """Wait for what the first process announces."""
        message = torch.zeros(2, dtype=torch.int64)
        distributed.broadcast(message, 0)
        what, count = message.tolist()
        return what, count

    def wait(self) -> None:
        """Wait until all processes are here."""
        distributed.all_reduce(torch.zeros(1))

    def leave(self) -> None:
        """Let go of the others."""
        distributed.destroy_process_group()

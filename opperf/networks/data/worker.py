"""What each process of a loader does first, so that it works undisturbed and ends in any case."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opperf.networks.data.source import DataItem, DataSource

SET_PDEATHSIG = 1


@dataclass
class LoaderSource:
    """A source that settles each loader process before it reads its first example.

    Neither framework's loader says the same way when a process begins; both ask for examples.
    """

    source: DataSource
    processors: tuple[int, ...] = ()
    owner: int = 0
    """The process that settled last; the loop's own to begin with."""

    def __post_init__(self) -> None:
        self.owner = os.getpid()

    @property
    def items_are_batches(self) -> bool:
        """Whether an item is a whole batch."""
        return self.source.items_are_batches

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, index: int) -> DataItem:
        """Return an example."""
        if self.owner != os.getpid():
            settle(self.owner, self.processors)
            self.owner = os.getpid()
        return self.source[index]


def settle(parent: int, processors: tuple[int, ...] = ()) -> None:
    """End with the parent, run where the loader may, and leave Ctrl-C to the parent.

    A measuring child watches what is forked from it at every call of Python; a loader's process
    never goes on measuring, and would be slow by it.
    """
    sys.setprofile(None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError, OSError):  # not Linux
        ctypes.CDLL(None).prctl(SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it had ended before this process asked
        os._exit(1)
    if processors:
        with suppress(AttributeError, OSError):
            os.sched_setaffinity(0, processors)

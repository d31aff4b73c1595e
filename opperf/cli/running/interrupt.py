"""Ctrl-C and a request to terminate, while something is measured."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class Interrupt:
    """Whether Ctrl-C was pressed: once to stop after this operator, twice to stop now."""

    pressed: bool = False

    def __call__(self, number: int, frame: object) -> None:
        """Take the signal."""
        del frame
        if self.pressed or number != signal.SIGINT:
            raise KeyboardInterrupt
        self.pressed = True
        say("finishing this operator; Ctrl-C again to end it at once")


@contextmanager
def interruptible() -> Iterator[Interrupt]:
    """Handle Ctrl-C and a request to terminate while measuring."""
    interrupt = Interrupt()
    kept = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interrupt
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


@contextmanager
def terminable() -> Iterator[None]:
    """Take a request to terminate, and the loss of the terminal, as Ctrl-C is taken: at once.

    Not where they are to be ignored, as nohup has it.
    """
    ending = Interrupt(pressed=True)
    kept = {
        number: signal.signal(number, ending) for number in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) is not signal.SIG_IGN
    }  # fmt: skip
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)

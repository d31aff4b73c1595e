"""Forks of the measuring process: they may work, but not speak for it or measure beside it."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

PACKAGE = str(Path(__file__).parents[1]) + os.sep


def end_forks_that_return(pipes: Sequence[int]) -> None:
    """Have each process that Python forks from now on let go of the pipes, and end on its way back.

    An operator may fork, but one of the two that return from its call must not go on measuring:
    they would share a core, and both would fork again in the next call.
    """
    os.register_at_fork(after_in_child=partial(silence, pipes))


def silence(pipes: Sequence[int]) -> None:
    """Let go of the pipes of the process that this one was forked from, and watch for the way back.

    Python tells of each call and return, at a cost that only the forked process has.
    """
    for pipe in pipes:
        with suppress(OSError):
            os.close(pipe)
    sys.setprofile(end_on_return)


def end_on_return(frame: FrameType, event: str, argument: object) -> None:
    """End this process where code of this package goes on: what it was forked for has returned."""
    del argument
    back = frame.f_back if event in {"call", "return"} else frame
    for one in (frame, back):
        name = one.f_code.co_filename if one is not None else ""
        if name.startswith(PACKAGE) and name != __file__:
            os._exit(0)

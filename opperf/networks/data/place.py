"""Where a loader stands among the processes of a run."""

from __future__ import annotations

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class LoaderPlace:
    """Which of the processes that share the data this is, and where its loader's processes run.

    Args:
        rank: the number of this process.
        ranks: how many share each global batch.
        processors: those that the loader's processes may run on; without, those of this process.

    """

    rank: int = 0
    ranks: int = 1
    processors: tuple[int, ...] = ()


ALONE = LoaderPlace()


def beside_parent() -> LoaderPlace:
    """Return the place of a measuring child alone: it keeps to its cores, its loader need not.

    What it may run on was what its parent may.
    """
    try:
        return LoaderPlace(processors=tuple(sorted(os.sched_getaffinity(os.getppid()))))
    except (AttributeError, OSError):  # not Linux, or the parent has ended
        return ALONE

"""How long what is left will take, from how long the same operators took."""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MINUTE = 60


class Estimate:
    """The tasks that are left, by key (the operator's name), and the seconds of those done."""

    def __init__(self, keys: Iterable[str]) -> None:
        self.pending = Counter(keys)
        self.past: dict[str, list[float]] = defaultdict(list)

    def finish(self, key: str, seconds: float | None) -> None:
        """Count a task as done; `seconds` None if its time predicts nothing."""
        self.pending[key] -= 1
        if seconds is not None:
            self.past[key].append(seconds)

    def remaining(self) -> float | None:
        """Return the seconds left, or None before anything is known.

        A task is expected to take the mean of the earlier ones with its key, or of all where there
        are none.
        """
        if not self.past:
            return None
        overall = fmean(seconds for times in self.past.values() for seconds in times)
        means = {key: fmean(times) for key, times in self.past.items()}
        return sum(n * means.get(key, overall) for key, n in self.pending.items() if n > 0)


def clock_text(seconds: float) -> str:
    """Return "3:12" or "1:03:12"."""
    minutes, rest = divmod(max(round(seconds), 0), MINUTE)
    hours, minutes = divmod(minutes, MINUTE)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

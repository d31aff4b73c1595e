"""How long and how precisely to measure."""

from __future__ import annotations

from dataclasses import dataclass

from opperf.core.errors import UsageError, quote, unknown

MINIMUM_SAMPLES = 6
"""Below six samples no 95 % interval of a median exists: 1 - 2 * 0.5**5 is 93.8 %."""
WIDEST_PRECISION = 0.5
LONGEST_BUDGET = 1e6
MOST = 2**31 - 1
"""The largest number of samples, calls or threads, and the largest seed."""


HOT, COLD = "hot", "cold"
CACHES = (HOT, COLD)
"""Whether a call finds its operands where the last one left them, or in memory."""
LAID_OUT, PLAIN = "laid_out", "plain"
PROCESSES = (LAID_OUT, PLAIN)
"""Whether the measuring process is set up so that each is like the last one (its memory, its
processors, how its threads wait), or is left as a user's own process is."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Times are in seconds; precision is the interval's half-width over the median.

    `cores` are those that the measuring process is kept to; by default a laid out one has as many
    as its framework computes with, and a plain one all.
    """

    precision: float = 0.02
    budget: float = 0.5
    warmup: int | None = None
    runs: int | None = None
    threads: int = 1
    seed: int = 0
    cache: str = "hot"
    process: str = LAID_OUT
    cores: int | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be measured."""
        require_number("precision", self.precision, WIDEST_PRECISION)
        require_number("budget", self.budget, LONGEST_BUDGET)
        require_whole("warmup", self.warmup, 0, optional=True)
        require_whole("runs", self.runs, 1, optional=True)
        require_whole("threads", self.threads, 1)
        require_whole("seed", self.seed, 0)
        if self.cache not in CACHES:
            raise UsageError(unknown("cache", self.cache, CACHES))
        if self.process not in PROCESSES:
            raise UsageError(unknown("process", self.process, PROCESSES))
        require_whole("cores", self.cores, 1, optional=True)


def require_number(name: str, value: object, most: float) -> None:
    """Refuse what is no positive number up to this one."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not 0 < value <= most:  # type: ignore[operator] # a number, as just seen
        raise UsageError(f"{name} {quote(value)}: must be a number above 0 and up to {most:g}")


def require_whole(name: str, value: object, least: int, *, optional: bool = False) -> None:
    """Refuse what is no whole number from this one on."""
    if optional and value is None:
        return
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not least <= value <= MOST:  # type: ignore[operator] # a number, as just seen
        left_out = ", or left out" if optional else ""
        raise UsageError(
            f"{name} {quote(value)}: must be a whole number of at least {least}{left_out}"
        )

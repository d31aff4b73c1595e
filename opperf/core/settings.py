"""How long and how precisely to measure."""

from __future__ import annotations

from dataclasses import dataclass

from opperf.core.errors import UsageError

MINIMUM_SAMPLES = 6
"""Below six samples no 95 % interval of a median exists: 1 - 2 * 0.5**5 is 93.8 %."""
WIDEST_PRECISION = 0.5


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Times are in seconds; precision is the interval's half-width over the median."""

    precision: float = 0.005
    budget: float = 1.0
    warmup: int | None = None
    runs: int | None = None
    threads: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be measured."""
        if not 0 < self.precision <= WIDEST_PRECISION:
            raise UsageError(f"precision {self.precision!r}: must lie in (0, 0.5], such as 0.005")
        if not 0 < self.budget < float("inf"):
            raise UsageError(f"budget {self.budget!r}: must be a positive number of seconds")
        if self.runs is not None and self.runs < 1:
            raise UsageError(f"runs {self.runs!r}: must be at least 1, or left out")
        if self.warmup is not None and self.warmup < 0:
            raise UsageError(f"warmup {self.warmup!r}: must be at least 0, or left out")
        if self.threads < 1:
            raise UsageError(f"threads {self.threads!r}: must be at least 1")
        if self.seed < 0:
            raise UsageError(f"seed {self.seed!r}: must be at least 0")

"""What one session finds of one job."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from opperf.comparing.pairs.process import Failed
from opperf.core.results.record import now

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.comparing.pairs.blocks import Pairs
    from opperf.comparing.pairs.process import Plan
    from opperf.core.results.pair import PairMetric


@dataclass(kw_only=True)
class JobFinding:
    """What a session finds of one job, as it comes: how each arm ended, and pairs or values.

    `apart` is how far the outputs of the arms lie apart.
    """

    started_at: str = field(default_factory=now)
    endings: dict[str, str] = field(default_factory=lambda: {"a": "ok", "b": "ok"})
    reasons: list[str] = field(default_factory=list)
    plan: Plan | None = None
    pairs: Pairs | None = None
    metric: PairMetric | None = None
    apart: float | None = None

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Take down how an arm fails meanwhile."""
        try:
            yield
        except Failed as failure:
            self.endings[failure.arm] = failure.status
            self.reasons.append(str(failure))

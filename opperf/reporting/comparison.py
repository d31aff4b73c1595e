"""A comparison as reports show it: the verdicts on B against A, and notes on all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from opperf.reporting.network import RankedNetwork
    from opperf.reporting.verdicts import Verdict


@dataclass(frozen=True, kw_only=True)
class ComparisonReport:
    """The verdicts, and how to read them.

    `names` are those of A and B, where they have any; `min_effect` is the least change of interest,
    as a share; `notes` are said above the verdicts; `environments` are those of A and of B, as far
    as they are known. `interleaved` says that the names are arms, as `opperf ab` takes them.
    `command` and `began` say how and when it was measured; `networks` are those whose calls they
    are. Of several arms `arms` has the names and what each is, the reference first.
    """

    verdicts: Sequence[Verdict]
    min_effect: float
    names: tuple[str, str] | None = None
    notes: Sequence[str] = ()
    environments: Sequence[Sequence[Mapping[str, Any]]] = ()
    interleaved: bool = False
    command: str = ""
    began: str = ""
    networks: Sequence[RankedNetwork] = ()
    arms: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What is compared with what."""
        if self.arms:
            reference, *others = self.arms
            return f"{', '.join(others)} against {reference}"
        if self.names is None:
            return "B against A"
        return f"{self.names[1]} (B) against {self.names[0]} (A)"

    @property
    def sides(self) -> tuple[str, ...]:
        """What the arms are called beside each other."""
        if self.arms:
            return tuple(f"{name}: {text}" if text else name for name, text in self.arms.items())
        return ("A", "B") if self.names is None else (f"A: {self.names[0]}", f"B: {self.names[1]}")

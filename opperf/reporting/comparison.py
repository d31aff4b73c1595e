"""A comparison as reports show it: the verdicts on B against A, and notes on all of them."""

from __future__ import annotations

from dataclasses import dataclass
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
    are.
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

    @property
    def title(self) -> str:
        """What is compared with what."""
        if self.names is None:
            return "B against A"
        return f"{self.names[1]} (B) against {self.names[0]} (A)"

    @property
    def sides(self) -> tuple[str, str]:
        """What the two are called beside each other."""
        return ("A", "B") if self.names is None else (f"A: {self.names[0]}", f"B: {self.names[1]}")

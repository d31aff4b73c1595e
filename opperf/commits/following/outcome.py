"""What came of a commit: compared with which control, and what was found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, unknown
from opperf.core.results.conversion import record_part

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REGRESSED, FAILED, UNBUILT, INCONCLUSIVE, FINE, FIRST, NOTHING = STATES = (
    "regressed", "failed", "unbuilt", "inconclusive", "fine", "first", "nothing",
)  # fmt: skip
"""How it ends, what asks for attention first.

`regressed`: slower or newly failing, confirmed in fresh sessions; `failed`: it cannot be measured;
`unbuilt`: it does not build or import; `first`: there is no control before it; `nothing`: none of
the operators that are asked for is there.
"""
UNDECIDED = ("different", "undecided", "noisy", "no_value")


@dataclass(frozen=True, kw_only=True)
class CommitOutcome:
    """What came of comparing a commit with its control on a platform.

    Args:
        commit: the full hash.
        commit_time: when it was committed, in seconds since 1970.
        title: its first line.
        platform: where it was built and measured.
        control: the hash of what it was compared with, None where there is none.
        control_time: when that was committed.
        state: one of STATES.
        reason: why there are no times, or what is worse.
        run: the folder of the comparison, None where nothing was measured.
        time: when it was found, in seconds since 1970.
        worse: the operators that have regressed.
        rows: the verdicts on all operators, as `opperf ab --format json` has them.
    """

    commit: str
    commit_time: int
    title: str
    platform: str
    control: str | None = None
    control_time: int | None = None
    state: str = FINE
    reason: str | None = None
    run: str | None = None
    time: float = 0.0
    worse: tuple[str, ...] = ()
    rows: tuple[dict[str, Any], ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """What it is of: each commit has one on each platform."""
        return self.commit, self.platform

    def to_mapping(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {**asdict(self), "worse": list(self.worse), "rows": list(self.rows)}

    @property
    def verdicts(self) -> dict[str, int]:
        """How many operators have which verdict; controls, A against A, are none."""
        found = [str(row["verdict"]) for row in self.rows if not row.get("control")]
        return {verdict: found.count(verdict) for verdict in dict.fromkeys(found)}


def outcome_from(found: object) -> CommitOutcome:
    """Return the outcome that a JSON object stands for.

    Raises:
        UsageError: it is none.
    """
    made = record_part(found, CommitOutcome, "outcome.")
    if made.state not in STATES:
        raise UsageError(unknown("state", made.state, STATES))
    return made


def state_of(rows: Sequence[Mapping[str, Any]]) -> tuple[str, tuple[str, ...]]:
    """Return what the rows of a comparison amount to, and which operators are worse.

    Controls, A against A, say nothing of the commit.
    """
    found = [row for row in rows if not row.get("control")]
    worse = tuple(
        f"{row['operator']} {row['direction']}{change_of(row)}" for row in found if is_worse(row)
    )
    verdicts = {row["verdict"] for row in found}
    if worse:
        return REGRESSED, worse
    if not verdicts - {"unsupported", "skipped", "no_value"}:
        return NOTHING, ()
    if verdicts & {"wrong_result", "fails"}:
        return FAILED, ()
    suspicious = any(row["verdict"] in {"slower", "worse"} for row in found)
    return (INCONCLUSIVE if suspicious or verdicts & {*UNDECIDED} else FINE), ()


def is_worse(row: Mapping[str, Any]) -> bool:
    """Return whether an operator has regressed: newly failing, or slower also in fresh sessions."""
    slower = row["verdict"] in {"slower", "worse"} and row["confirmed"]
    return bool(slower) or row["verdict"] == "newly_fails"


def change_of(row: Mapping[str, Any]) -> str:
    """Return by how much an operator has changed, as text."""
    ratio = row.get("ratio")
    return f" {100 * (ratio - 1):+.1f} %" if ratio is not None else ""

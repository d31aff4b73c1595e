"""Whether a change is one of the code or of a host.

Hosts whose calibration set moved as a whole say nothing of the code. Of the others: a change that
most of them show is one of the code; one that the shifted host shows alone is the host's. What
neither holds for is undecided, and why is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from opperf.history.pooling import pool
from opperf.history.steps import SURE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.history.pooling import HostEstimate, PooledRatio
    from opperf.history.shift import HostShift

CODE, HOST, UNDECIDED = "code", "host", "undecided"
LEAST_HOSTS = 2
MOST = 2 / 3
"""The share of the hosts that can tell which a change of the code is seen on."""


@dataclass(frozen=True, kw_only=True)
class Cause:
    """What a change seen on one host is due to: code, host or undecided, and why.

    `moved` of `hosts` show it, of the hosts of the kind that have sessions on both sides of it;
    `pooled` is the ratio over those of them whose calibration set stood still. `shift` is what the
    calibration set of the host says on which it was seen; `is_everywhere` where those of most hosts
    moved at once.
    """

    verdict: str
    reason: str
    moved: int
    hosts: int
    pooled: PooledRatio | None
    shift: HostShift | None
    is_everywhere: bool = False


@dataclass(frozen=True, kw_only=True)
class HostEvidence:
    """The steps of an operator on the hosts of a kind, and what their calibration sets say."""

    host: str
    steps: Mapping[str, HostEstimate]
    shifts: Mapping[str, HostShift]

    @property
    def effect(self) -> float:
        """The logarithm of the ratio on the host that the change was seen on."""
        return self.steps[self.host].log_ratio

    @cached_property
    def outliers(self) -> list[str]:
        """The hosts that changed as a whole."""
        return [one for one in self.steps if one in self.shifts and self.shifts[one].is_shifted]

    @cached_property
    def steady(self) -> dict[str, HostEstimate]:
        """The steps of the others."""
        return {name: one for name, one in self.steps.items() if name not in self.outliers}

    @cached_property
    def witnesses(self) -> list[str]:
        """Those of the steady hosts that surely show a step in this sense, and may show half."""
        found = (name for name, one in self.steady.items() if agrees(one, self.effect))
        return [name for name in found if name not in self.still]

    @cached_property
    def still(self) -> list[str]:
        """Those of them that surely do not show half of it."""
        return [name for name, one in self.steady.items() if contradicts(one, self.effect)]

    @property
    def is_code(self) -> bool:
        """Whether most of the hosts that can tell show it, and two of these stood still."""
        return self.is_common and sum(self.is_known(name) for name in self.witnesses) >= LEAST_HOSTS

    @property
    def is_common(self) -> bool:
        """Whether most of the steady hosts show it, and more of those that can tell."""
        most = MOST * (len(self.witnesses) + len(self.still))
        return len(self.witnesses) >= max(LEAST_HOSTS, most, len(self.steady) / 2 + 0.5)

    @property
    def is_host(self) -> bool:
        """Whether the host shifted, and others of its kind, or its other libraries, say so."""
        if self.host not in self.outliers or self.witnesses:
            return False
        alone = len(self.steps) == 1 and len(self.shifts[self.host].frameworks) > 1
        return (bool(self.still) and not self.is_everywhere) or alone

    @property
    def is_everywhere(self) -> bool:
        """Whether most hosts shifted."""
        return len(self.outliers) >= max(LEAST_HOSTS, MOST * len(self.steps))

    def is_known(self, name: str) -> bool:
        """Return whether a host's calibration set says anything."""
        return name in self.shifts and self.shifts[name].is_known

    @property
    def tally(self) -> str:
        """On how many hosts it is seen."""
        telling = len(self.witnesses) + len(self.still)
        return f"seen on {len(self.witnesses)} of {telling} hosts that can tell"


def cause_of(evidence: HostEvidence) -> Cause:
    """Return the cause of a change on a host."""
    if evidence.is_code:
        verdict, reason = CODE, f"{evidence.tally}, whose calibration sets stood still"
    elif evidence.is_host:
        verdict, reason = HOST, host_reason(evidence)
    else:
        verdict, reason = UNDECIDED, doubt(evidence)
    own = evidence.shifts.get(evidence.host)
    steady = [*evidence.steady.values()]
    return Cause(
        verdict=verdict,
        reason=reason,
        moved=sum(agrees(one, evidence.effect) for one in evidence.steps.values()),
        hosts=len(evidence.steps),
        pooled=pool(steady) if steady and verdict != HOST else None,
        shift=own if own and own.is_known else None,
        is_everywhere=evidence.is_everywhere,
    )


def host_reason(evidence: HostEvidence) -> str:
    """Return why it is the host."""
    own = evidence.shifts[evidence.host]
    if evidence.still:
        return f"{shift_text(own)}, and {len(evidence.still)} other hosts stood still"
    return f"{shift_text(own)}, in {' and '.join(own.frameworks)} at once"


def doubt(evidence: HostEvidence) -> str:
    """Return why it is undecided."""
    own = evidence.shifts.get(evidence.host)
    if evidence.is_common:
        return f"{evidence.tally}; without a calibration set of each nobody knows more"
    if evidence.is_everywhere:
        shifted, hosts = len(evidence.outliers), len(evidence.steps)
        return f"most operators moved on {shifted} of {hosts} hosts at once"
    if own and own.is_shifted:
        return f"{shift_text(own)}, and no other host can tell"
    calibrated = f"{shift_text(own)}" if own and own.is_known else "it has no calibration set"
    if len(evidence.steps) == 1:
        return f"there is one host, and {calibrated}"
    if evidence.witnesses == [evidence.host] and evidence.still:
        return f"seen on this host alone, and {calibrated}"
    return evidence.tally


def agrees(step: HostEstimate, effect: float) -> bool:
    """Return whether a host surely shows a step in the sense of an effect."""
    low, high = step.interval(SURE)
    return low > 0 if effect > 0 else high < 0


def contradicts(step: HostEstimate, effect: float) -> bool:
    """Return whether a host's interval rules out that it shows half of an effect."""
    low, high = step.interval(SURE)
    return high < effect / 2 if effect > 0 else low > effect / 2


def shift_text(shift: HostShift) -> str:
    """Return by how much how many operators moved."""
    by = f" by {shift.ratio - 1:+.1%}" if shift.ratio is not None and shift.moved else ""
    return f"{shift.moved} of {shift.operators} calibration operators moved{by}"

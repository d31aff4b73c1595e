"""What a comparison of several arms has found so far: the evidence of each against the reference.

Each arm is judged by the sessions that it was measured in, as the second of two arms is, and needs
no more of them once its verdict stands. The arms share the reference's blocks, so that they err
together; on average that makes no error more or fewer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from msgspec import UNSET

from opperf.comparing.campaign import Evidence
from opperf.comparing.row import row_of
from opperf.core.errors import UsageError, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opperf.comparing.campaign import Rules
    from opperf.comparing.row import ComparedRow
    from opperf.core.results.pair import Pair


@dataclass(frozen=True)
class ArmsEvidence:
    """The pairs of a comparison by their arm; those of the reference are its controls.

    Args:
        rules: how far the comparison goes.
        by_arm: the evidence of each arm, the reference's first.

    """

    rules: Rules
    by_arm: Mapping[str, Evidence]

    @classmethod
    def of(cls, rules: Rules, names: Iterable[str]) -> ArmsEvidence:
        """Return a comparison of arms, the reference first, of which nothing is known yet."""
        return cls(rules, {name: Evidence(rules) for name in names})

    @property
    def reference(self) -> str:
        """The name of the reference."""
        return next(iter(self.by_arm))

    @property
    def contenders(self) -> list[str]:
        """The names of the others."""
        return [*self.by_arm][1:]

    @property
    def controls(self) -> Evidence:
        """What was found of the reference against itself."""
        return self.by_arm[self.reference]

    def add(self, pairs: Iterable[Pair]) -> None:
        """Add records, in the order of their sessions.

        Raises:
            UsageError: one is of no arm of the comparison.
        """
        for pair in pairs:
            arm = "" if pair.arm is UNSET else pair.arm
            if arm not in self.by_arm:
                raise UsageError(unknown("arm", arm, self.by_arm, f" of pair {pair.result_id}"))
            self.by_arm[arm].add([pair])

    def records(self) -> Iterator[Pair]:
        """Yield all records so far."""
        for evidence in self.by_arm.values():
            for pairs in evidence.pairs.values():
                yield from pairs

    def sessions_of(self, key: str) -> int:
        """Return in how many sessions a job was compared, in the arm that had most of them."""
        return max(len(self.by_arm[name].of(key)) for name in self.contenders)

    def rows(self, counts: Mapping[str, int] | None = None) -> list[ComparedRow]:
        """Return a row for each job and arm, those of a job together, and then the controls.

        Args:
            counts: how often a network's step makes a call, by the key of its job.

        """
        known = counts or {}
        every = [(name, key) for name in self.contenders for key in self.keys(name, "comparison")]
        keys = dict.fromkeys(key for _, key in every)
        rows = [
            self.row(name, key, "comparison", known.get(key))
            for key in keys
            for name in self.contenders
            if (name, key) in every
        ]
        controls = self.keys(self.reference, "control")
        return [*rows, *(self.row(self.reference, key, "control", None) for key in controls)]

    def keys(self, name: str, purpose: str) -> list[str]:
        """Return the keys of the jobs that an arm has records of for a purpose."""
        return [key for found, key in self.by_arm[name].pairs if found == purpose]

    def row(self, name: str, key: str, purpose: str, count: int | None) -> ComparedRow:
        """Return the row of a job in an arm."""
        made = row_of(self.by_arm[name], key, purpose)
        return replace(made, arm=name, reference=self.reference, job=key, count=count)

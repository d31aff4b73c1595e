"""Which hosts a job may go to, and which of them have little to do."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from heapq import nlargest
from typing import TYPE_CHECKING, Any

from opperf.fleet.jobs.requirement import HostRequirement

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

AHEAD = 2
"""Jobs that wait or run at Dask for each host: the next one is there when one ends."""
PART = 0.001
"""What parts of a job come to that are none."""
CHOICE = 8
"""Hosts that Dask may choose from for a job, where more of them have little to do."""


@dataclass
class Placement:
    """The hosts that fit each requirement, matched once while the hosts are the same."""

    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    matched: dict[str, frozenset[str]] = field(default_factory=dict)

    def update(self, facts: Mapping[str, Mapping[str, Any]]) -> None:
        """Set the hosts that may measure, with their facts."""
        if facts != self.facts:
            self.facts = facts
            self.matched.clear()

    def targets(self, requirement: str) -> frozenset[str]:
        """Return the hosts that fit a requirement, given as JSON."""
        if requirement not in self.matched:
            wanted = HostRequirement.from_mapping(json.loads(requirement))
            fitting = (name for name, facts in self.facts.items() if not wanted.lacks(facts))
            self.matched[requirement] = frozenset(fitting)
        return self.matched[requirement]


class Load:
    """How many jobs each host has before it; a job that may go to several counts in parts."""

    def __init__(self, hosts: Iterable[str]) -> None:
        self.waiting = dict.fromkeys(hosts, 0.0)

    def add(self, targets: Collection[str]) -> None:
        """Count a job that goes to one of these hosts."""
        for name in targets:
            if name in self.waiting:
                self.waiting[name] += 1 / len(targets)

    def room(self, targets: Iterable[str]) -> dict[str, float]:
        """Return how many jobs more each of these hosts should have, where it is any."""
        found = {name: AHEAD - self.waiting[name] for name in targets}
        return {name: jobs for name, jobs in found.items() if jobs > PART}

    def shortage(self) -> float:
        """Return how many jobs more all hosts together should have."""
        return sum(max(0.0, AHEAD - waiting) for waiting in self.waiting.values())

    def is_enough(self) -> bool:
        """Return whether every host has enough to do."""
        return all(waiting > AHEAD - PART for waiting in self.waiting.values())


@dataclass
class JobBatch:
    """Jobs that may go to the same hosts, and those of the hosts that have little to do."""

    room: dict[str, float]
    jobs: list[int] = field(default_factory=list)

    def is_full(self) -> bool:
        """Return whether these hosts have enough to do with these jobs."""
        return len(self.jobs) >= sum(self.room.values())

    def emptiest(self) -> list[str]:
        """Return the hosts that Dask is to choose from: for many hosts it takes long to choose."""
        most = max(CHOICE, len(self.jobs))
        return nlargest(most, self.room, key=lambda name: self.room[name])

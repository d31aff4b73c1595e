"""Made-up hosts whose sessions are known, and what they would have put into their journals."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.calibration import CALIBRATION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

BEGIN = datetime(2026, 9, 1, 2, tzinfo=timezone.utc)
FACTS: dict[str, Any] = {
    "cpu": "AMD EPYC 7B13 64-Core Processor", "architecture": "x86_64", "cores": 64,
    "physical_cores": 64, "sockets": 1, "caches": {"L3": 2**25}, "hypervisor": False, "gpu": [],
    "instruction_sets": ["avx2", "fma"], "memory_bytes": 250 * 2**30,
}  # fmt: skip


def steady(night: int, operator: str) -> float:
    """Return the factor of a host that stays as it is."""
    del night, operator
    return 1.0


@dataclass
class MadeHost:
    """A host, the factor of its time in a night by operator, and the facts it differs in."""

    name: str | None
    factor: Callable[[int, str], float] = steady
    facts: dict[str, Any] = field(default_factory=dict)
    spread: float = 0.005

    @property
    def environment(self) -> dict[str, Any]:
        """The facts of its records."""
        key = str(self.facts.get("cpu", "kind")) + str(self.name)
        return {**FACTS, "machine_key": key, "host": self.name, **self.facts}


@dataclass
class MadeFleet:
    """Hosts that measure the same operators each night, one hour after the other."""

    hosts: list[MadeHost]
    nights: int = 24
    operators: tuple[str, ...] = (*sorted(CALIBRATION), "Flip")

    def lines(self, place: int, line: dict[str, Any]) -> Iterator[str]:
        """Yield the records of a host as changes of one."""
        host, random = self.hosts[place], np.random.default_rng(place)
        for night in range(self.nights):
            for number, operator in enumerate(self.operators):
                moment = BEGIN + timedelta(days=night, hours=place, seconds=number)
                noise = float(np.exp(random.normal(0, host.spread)))
                yield json.dumps({
                    **line,
                    "result_id": f"{(place * 1000 + night) * 1000 + number:032x}",
                    "run_id": f"{host.name}-{night:03}",
                    "series_key": f"{number:016x}",
                    "started_at": moment.isoformat(),
                    "operator": {**line["operator"], "name": operator},
                    "environment": host.environment,
                    "summary": {**line["summary"],
                                "median": 1e-3 * host.factor(night, operator) * noise},
                })  # fmt: skip

    def write(self, folder: Path, line: dict[str, Any]) -> list[str]:
        """Write a journal a host, and return their paths."""
        paths = []
        for place in range(len(self.hosts)):
            path = folder / f"host-{place}" / "results.jsonl"
            path.parent.mkdir(parents=True)
            path.write_text("".join(f"{text}\n" for text in self.lines(place, line)))
            paths.append(str(path))
        return paths


def slower_from(night: int, by: float, operator: str | None = None) -> Callable[[int, str], float]:
    """Return the factor of a host that becomes slower then, in one operator or in all."""

    def factor(at: int, name: str) -> float:
        return by if at >= night and operator in {None, name} else 1.0

    return factor

"""pytest-benchmark's JSON, read.

Its times are seconds per call; `data` holds them all where it was asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.results.identity import digest
from opperf.storing.foreign.measure import Measure, Origin

if TYPE_CHECKING:
    from collections.abc import Iterator

TOOL = "pytest-benchmark"


def is_ours(document: object) -> bool:
    """Return whether a document has this form."""
    return isinstance(document, dict) and "benchmarks" in document and "machine_info" in document


def read(document: dict[str, Any], run: str) -> Iterator[tuple[Measure, Origin]]:
    """Yield the benchmarks of a document."""
    machine = document["machine_info"]
    cpu = machine.get("cpu")
    brand = cpu.get("brand_raw", "unknown") if isinstance(cpu, dict) else "unknown"
    origin = Origin(
        tool=TOOL,
        run=run,
        at=document["datetime"],
        machine=digest([machine.get("node"), brand]),
        cpu=brand,
        packages={"python": str(machine.get("python_version"))},
    )
    for benchmark in document["benchmarks"]:
        stats = benchmark["stats"]
        measure = Measure(
            name=benchmark["fullname"],
            framework="python",
            direction="forward",
            attributes=benchmark.get("params") or {},
            seconds=stats.get("data") or [stats["median"]],
        )
        yield measure, origin

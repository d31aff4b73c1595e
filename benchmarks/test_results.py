"""What it costs to save results, to read them and to show them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from msgspec.structs import replace

from opperf.reporting.table import table
from opperf.storing import Journal, read

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

    from opperf.core.results.result import Result

    MakeResults = Callable[[int], list[Result]]

OPERATOR, RUN = 4, 500


def test_append_an_operator(
    benchmark: BenchmarkFixture, make_results: MakeResults, tmp_path: Path
) -> None:
    """Four results to the journal, until the disk holds them."""
    results = make_results(OPERATOR)
    with Journal(tmp_path / "results.jsonl") as journal:

        def append() -> None:
            journal.append([replace(result, result_id=uuid4().hex) for result in results])

        benchmark.pedantic(append, rounds=200, warmup_rounds=5)


def test_read_a_run(benchmark: BenchmarkFixture, make_results: MakeResults, tmp_path: Path) -> None:
    """A journal of 500 results, every record checked."""
    path = tmp_path / "results.jsonl"
    with Journal(path) as journal:
        journal.append(make_results(RUN))
    found = benchmark(read, path)
    assert len(found.results) == RUN


def test_show_a_run(benchmark: BenchmarkFixture, make_results: MakeResults) -> None:
    """The table of 500 results, in 160 columns."""
    text = benchmark(table, make_results(RUN), 160)
    assert text.count("Add") >= RUN // (2 * OPERATOR)

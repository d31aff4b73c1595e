"""A ratio says where its two times were taken on unequally many processors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.page.run import mean_tiles, pairs_of
from opperf.reporting.pairing import pair as pair_rows
from opperf.reporting.processors import processors_note
from opperf.reporting.summary import run_summary
from opperf.reporting.table import table

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]

NOTE = (
    "processors: mxnet 2, pytorch 1, for an engine computes beside its caller; "
    "--cores 1 keeps each to as many"
)


def both(make: Make, mxnet: Any, pytorch: Any, **fields: Any) -> tuple[Result, Result]:
    """Return results of either framework, on these processors."""
    found = [("mxnet", mxnet, 2.0), ("pytorch", pytorch, 1.0)]
    one, other = (
        make(framework=name, seconds=seconds, environment={"affinity": allowed}, **fields)
        for name, allowed, seconds in found
    )
    return one, other


def test_unequally_many_are_told_wherever_there_is_a_ratio(make: Make) -> None:
    """Below the table, in the summary of a build, and beside the mean of the page."""
    results = [*both(make, [0, 1], [1])]
    assert NOTE in " ".join(table(results, 120).replace("\n  ", " ").split("\n"))
    assert "processors: mxnet 2, pytorch 1" in run_summary(results, "a run")
    (pair,) = pairs_of(*pair_rows(results), ["mxnet", "pytorch"])
    (tile,) = mean_tiles([pair], ["mxnet", "pytorch"])
    assert NOTE in tile["label"]


@pytest.mark.parametrize(
    ("mxnet", "pytorch", "fields"),
    [
        ([1], [1], {}),
        ([0, 1], [2, 3], {}),
        (None, [1], {}),
        ("01", [1], {}),
        ([0, 1], [1], {"device": "cuda:0"}),
        ([0, 1], [1], {"status": "failed"}),
    ],
)
def test_nothing_is_said_where_there_is_nothing_to_say(
    make: Make, mxnet: Any, pytorch: Any, fields: dict[str, Any]
) -> None:
    """Equally many, unknown, on a GPU, or without a ratio."""
    results = [*both(make, mxnet, pytorch, **fields)]
    assert "processors:" not in table(results, 120)


def test_each_number_of_processors_is_named(make: Make) -> None:
    """A run of several numbers of threads has several."""
    pairs = [both(make, [0, 1], [1]), both(make, [0, 1, 2], [1, 2]), both(make, [1], [1])]
    assert (processors_note(pairs) or "").startswith("processors: mxnet 2 or 3, pytorch 1 or 2, ")

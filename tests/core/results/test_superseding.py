"""A row measured once more: which of its results counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.results.identity import NETWORK
from opperf.core.results.quantity import SubjectRecord
from opperf.core.results.superseding import (
    attempts,
    certainty,
    counting,
    may_improve,
    superseding,
)
from tests.records import changed

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    MakeResult = Callable[..., Result]


def summary(seconds: float, *codes: str, precision: float | None = 0.0) -> dict[str, Any]:
    """Return a summary with warnings of these codes, and an interval so far to either side."""
    half = None if precision is None else seconds * precision
    notes = [{"code": code, "message": code} for code in codes]
    return {
        "n": 6,
        "median": seconds,
        "interval": None if half is None else [seconds - half, seconds + half],
        "precision": precision,
        "warnings": notes,
    }


def test_a_reliable_result_stands_where_the_earlier_one_stood(make_result: MakeResult) -> None:
    """Also where it was measured again and again; others keep their places."""
    first, other = make_result(status="noisy"), make_result()
    second = make_result(status="noisy", supersedes=first.result_id)
    third = make_result(supersedes=second.result_id)
    assert counting([first, other]) == [first, other]
    assert counting([first, other, second]) == [second, other]
    assert counting([first, other, second, third]) == [third, other]
    assert attempts([first, other, second, third]) == [[first, second, third], [other]]


@pytest.mark.parametrize(
    ("before", "after", "later_stands"),
    [
        ({"precision": 0.17}, {"precision": None}, False),
        ({"precision": 0.17}, {"precision": 3.5}, False),
        ({"precision": 0.17}, {"precision": 0.4}, False),
        ({"precision": 0.4}, {"precision": 0.17}, True),
        ({"precision": 0.17}, {"precision": 0.17}, True),
        ({"precision": None}, {"precision": None}, True),
        ({"precision": 0.4}, {"precision": 0.03, "codes": ["disturbed"]}, False),
        ({"precision": 3.5}, {"precision": 0.03, "codes": ["disturbed"]}, True),
    ],
)
@pytest.mark.parametrize("times", [0.1, 1.0, 10.0])
def test_of_doubtful_ones_the_surer_stands_and_never_the_shorter(
    make_result: MakeResult,
    before: dict[str, Any],
    after: dict[str, Any],
    times: float,
    *,
    later_stands: bool,
) -> None:
    """A narrow interval of disturbed samples is not sure; of equals the later one stands."""
    first = make_result(status="noisy", summary=summary(1e-6, **before))
    codes = after.get("codes", ())
    found = summary(times * 1e-6, *codes, precision=after["precision"])
    second = superseding(make_result(status="noisy", summary=found), first)
    assert counting([first, second]) == [second if later_stands else first]


@pytest.mark.parametrize("lost", ["crashed", "no_time", "skipped"])
def test_trouble_is_not_hidden_and_no_time_stands_for_none(
    make_result: MakeResult, lost: str
) -> None:
    """A doubtful time says more than that nothing was measured, and less than a crash."""
    first = make_result(status="noisy", summary=summary(1e-6, precision=0.2))
    second = superseding(make_result(status=lost, summary=None), first)
    assert counting([first, second]) == [second if lost == "crashed" else first]


def test_samples_that_were_left_out_disturb_no_interval(make_result: MakeResult) -> None:
    """The interval is that of the others."""
    samples = make_result().samples
    assert samples is not None
    kept, left_out = (
        make_result(
            status="noisy",
            summary=summary(1e-6, "disturbed", precision=0.1),
            samples={**samples.to_mapping(), "left_out": places},
        )
        for places in (None, (0, 2))
    )
    surer = make_result(status="noisy", summary=summary(1e-6, precision=0.2))
    assert certainty(kept) < certainty(surer) < certainty(left_out)


def test_of_a_networks_sums_the_newest_stands(make_result: MakeResult) -> None:
    """It follows from what counts of its calls by then, however wide it is."""
    named = {"kind": NETWORK, "name": "alexnet"}
    first, second = (
        make_result(
            status="noisy", subject=SubjectRecord(**named), samples=None,
            summary=summary(1e-3, precision=precision),
        )
        for precision in (0.06, 0.6)
    )  # fmt: skip
    second = changed(second, supersedes=first.result_id)
    assert counting([first, second]) == [second]


def test_one_whose_earlier_result_is_missing_counts(make_result: MakeResult) -> None:
    """As in a part of a journal."""
    alone = make_result(supersedes="0" * 32)
    assert counting([alone]) == [alone]


def test_what_the_memory_pass_found_is_kept(make_result: MakeResult) -> None:
    """With its warning, and without those of the earlier samples."""
    fusion = {"kernels": ["k"], "parts": [], "traffic_bytes": None, "bandwidth": None}
    earlier = make_result(
        status="noisy", memory={"workspace": 8}, fusion=fusion,
        summary=summary(1.0, "noisy", "not_fused"),
    )  # fmt: skip
    found = superseding(make_result(summary=summary(1.0, "drift")), earlier)
    assert (found.memory, found.fusion) == (earlier.memory, earlier.fusion)
    assert found.summary is not None
    assert [note.code for note in found.summary.warnings] == ["drift", "not_fused"]
    assert found.supersedes == earlier.result_id
    assert superseding(make_result(status="crashed", summary=None), earlier).summary is None


@pytest.mark.parametrize(
    ("status", "codes", "expected"),
    [
        ("noisy", ("noisy",), True),
        ("noisy", ("disturbed",), True),
        ("no_time", (), True),
        ("ok", ("drift",), False),
        ("crashed", (), False),
    ],
)
def test_only_what_a_quieter_machine_may_mend_is_tried_again(
    make_result: MakeResult, status: str, codes: tuple[str, ...], *, expected: bool
) -> None:
    """And nothing that failed, or is reliable."""
    assert may_improve(make_result(status=status, summary=summary(1.0, *codes))) == expected

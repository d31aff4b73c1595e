"""A row measured once more: which of its results counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.results.superseding import latest, may_improve, superseding

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    MakeResult = Callable[..., Result]


def summary(seconds: float, *codes: str) -> dict[str, Any]:
    """Return a summary with warnings of these codes."""
    notes = [{"code": code, "message": code} for code in codes]
    return {
        "n": 6,
        "median": seconds,
        "interval": [seconds, seconds],
        "precision": 0.0,
        "warnings": notes,
    }


def test_the_later_result_stands_where_the_earlier_one_stood(make_result: MakeResult) -> None:
    """Also where it was measured again and again; others keep their places."""
    first, other = make_result(status="noisy"), make_result()
    second = make_result(status="noisy", supersedes=first.result_id)
    third = make_result(supersedes=second.result_id)
    assert latest([first, other]) == [first, other]
    assert latest([first, other, second]) == [second, other]
    assert latest([first, other, second, third]) == [third, other]


@pytest.mark.parametrize(("before", "after"), [(1e-6, 2e-6), (2e-6, 1e-6)])
@pytest.mark.parametrize("status", ["ok", "noisy", "crashed"])
def test_which_counts_is_not_chosen_by_the_times(
    make_result: MakeResult, before: float, after: float, status: str
) -> None:
    """Neither the faster one nor the surer one: the later one, whatever became of it."""
    first = make_result(status="noisy", summary=summary(before))
    second = superseding(make_result(status=status, summary=summary(after)), first)
    assert latest([first, second]) == [second]


def test_one_whose_earlier_result_is_missing_counts(make_result: MakeResult) -> None:
    """As in a part of a journal."""
    alone = make_result(supersedes="0" * 32)
    assert latest([alone]) == [alone]


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

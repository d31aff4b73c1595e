"""What a result is called in a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.results.parts import InputRecord
from opperf.reporting.wording import (
    attributes_text,
    codes,
    counts_text,
    device_notes,
    given_text,
    inputs_text,
    memory_text,
    operator_text,
    precision,
    rate_text,
    status_text,
    time_parts,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]


@pytest.mark.parametrize(
    ("shapes", "text"),
    [
        ([], ""),
        ([("data", [64, 64])], "(64,64)"),
        ([("data", [])], "()"),
        ([("lhs", [1024, 1024]), ("rhs", [1024, 1024])], "(1024,1024)x2"),
        (
            [("data", [4, 64, 56, 56]), ("weight", [64, 64, 3, 3]), ("bias", [64])],
            "data(4,64,56,56) weight(64,64,3,3) bias(64)",
        ),
    ],
)
def test_inputs_are_named_only_where_their_shapes_differ(shapes: list[Any], text: str) -> None:
    """Equal shapes are counted instead."""
    inputs = [InputRecord(name=name, shape=(*shape,), dtype="float32") for name, shape in shapes]
    assert inputs_text(inputs) == text


def test_attributes_are_pairs() -> None:
    """Sequences have no spaces, so that spaces part the pairs."""
    assert attributes_text({"k": 10, "pad": [1, 1], "mode": "max"}) == "k=10 pad=(1,1) mode=max"


def test_a_dtype_other_than_float32_is_named(make: Make) -> None:
    """It distinguishes rows; float32 is what everybody expects."""
    assert given_text(make(attributes={"k": 3})) == "(1024,1024)x2 k=3"
    assert given_text(make(dtype="int8")) == "(1024,1024)x2 int8"


@pytest.mark.parametrize(
    ("fused", "device", "text"),
    [
        (None, "cpu", "Dot"),
        (True, "cpu", "Dot (fused)"),
        (False, "cuda:0", "Dot (unfused) cuda:0"),
    ],
)
def test_an_operator_says_whether_it_is_fused_and_where(
    make: Make, fused: bool | None, device: str, text: str
) -> None:
    """The CPU goes without saying."""
    assert operator_text(make(fused=fused, device=device)) == text


@pytest.mark.parametrize(
    ("times", "notes"),
    [
        (None, []),
        (
            {"submit": 1e-5, "device": 2e-6, "latency": 1.4e-5, "graph": True},
            ["submit 10.0 us", "latency 14.0 us", "graph"],
        ),
        ({"submit": None, "device": None, "latency": 2e-5, "graph": False}, ["latency 20.0 us"]),
    ],
)
def test_a_gpu_s_other_figures_are_notes(
    make: Make, times: dict[str, Any] | None, notes: list[str]
) -> None:
    """What the host does, and what a single awaited call takes, stand beside the headline."""
    assert device_notes(make(device_times=times)) == notes
    assert device_notes(make(device_times=times, status="failed")) == []


@pytest.mark.parametrize(
    ("seconds", "precision", "parts"),
    [
        (0.0312, 0.004, ("31.2 ms", "±0.4%")),
        (1.3257e-5, 0.11, ("13 us", "±11%")),
        (2.0432e-4, 0.018, ("204 us", "±1.8%")),
        (9.87e-5, 0.3, ("100 us", "±30%")),
        (4.5e-6, None, ("4.50 us", "±?")),
    ],
)
def test_a_time_is_rounded_by_no_more_than_its_interval(
    make: Make, seconds: float, precision: float | None, parts: tuple[str, str]
) -> None:
    """13.257 us known to 11 % is 13 us: one digit, 10 us, would lie outside its own interval."""
    result = make(seconds=1.0)
    summary = {"median": seconds, "precision": precision}
    assert time_parts(make(seconds=1.0, summary=summary)) == parts
    assert time_parts(result, ascii_only=True)[1] == "+-0.4%"


@pytest.mark.parametrize(
    ("status", "signal", "text"),
    [
        ("crashed", "SIGSEGV", "crashed SIGSEGV"),
        ("wrong_result", None, "wrong result"),
        ("out_of_memory", None, "out of memory"),
        ("unsupported", None, "unsupported"),
    ],
)
def test_a_status_that_is_no_time_shows_its_words(
    make: Make, status: str, signal: str | None, text: str
) -> None:
    """Even where the record holds a median, there is no number."""
    result = make(status=status, signal=signal, summary={"median": 1.0, "precision": 0.1})
    assert status_text(result) == text
    assert time_parts(result) == (text, "")
    assert precision(result) is None
    assert result.interval is None


def test_counts_are_in_a_fixed_order() -> None:
    """What went well comes first, whatever happened first; what did not happen is left out."""
    assert counts_text(["crashed", "ok", "noisy", "ok"]) == "2 ok, 1 noisy, 1 crashed"
    assert counts_text([]) == "no results"


@pytest.mark.parametrize(
    ("flop_count", "byte_count", "text"),
    [
        (2 * 10**9, 10**6, "20.0 GFLOP/s"),
        (10**6, 12 * 10**6, "120 MB/s"),
        (0, 12 * 10**6, "120 MB/s"),
        (2 * 10**9, None, "20.0 GFLOP/s"),
        (None, None, None),
        (0, None, None),
    ],
)
def test_a_rate_is_that_of_what_the_operator_mostly_does(
    make: Make, flop_count: int | None, byte_count: int | None, text: str | None
) -> None:
    """Below one FLOP a byte it is bytes; zero FLOP are no rate at all."""
    rates = {
        "flop_rate": flop_count and flop_count / 0.1,
        "byte_rate": byte_count and byte_count / 0.1,
    }
    result = make(seconds=0.1, flop_count=flop_count, byte_count=byte_count, **rates)
    assert rate_text(result) == text


def test_a_result_without_a_time_has_no_rate(make: Make) -> None:
    """Its counts are known all the same."""
    assert rate_text(make(status="failed")) is None


def test_a_result_without_a_summary_has_no_interval_and_no_warnings(make: Make) -> None:
    """Nothing was measured."""
    result = make(status="failed")
    assert (result.interval, precision(result), codes(result)) == (None, None, [])


def test_an_interval_that_begins_at_zero_is_not_missing(make: Make) -> None:
    """Zero and missing are two things."""
    assert make(summary={"median": 1.0, "interval": [0.0, 2.0]}).interval == (0.0, 2.0)


@pytest.mark.parametrize(
    ("memory", "text"),
    [
        ({"outputs": 4_000_000, "workspace": 190_000, "saved": 0}, "4.19 MB"),
        ({"outputs": 4_000_000, "workspace": 0, "saved": 8_000_000}, "4.00 MB, 8.00 MB saved"),
        ({"outputs": 0, "workspace": 0, "saved": None}, "0 B"),
        ({"outputs": 4_000_000, "workspace": None, "saved": 0}, None),
        ({"outputs": None, "workspace": None, "saved": None}, None),
        ({}, None),
    ],
)
def test_memory_is_what_a_call_takes(make: Make, memory: dict[str, Any], text: str | None) -> None:
    """Outputs and workspace together; where one is unknown the sum is, and saved bytes follow."""
    assert memory_text(make(memory=memory)) == text

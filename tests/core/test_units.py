"""Quantities as people write them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opperf.core.errors import UsageError
from opperf.core.units import (
    format_bytes,
    format_precision,
    format_quantity,
    format_rate,
    format_seconds,
    parse_bytes,
    parse_seconds,
)

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0312, "31.2 ms"),
        (1.05e-6, "1.05 us"),
        (3.4, "3.40 s"),
        (5e-10, "0.500 ns"),
        (1.5e-8, "15.0 ns"),
        (1e-5, "10.0 us"),
        (12345.0, "12300 s"),
        (-0.002, "-2.00 ms"),
        (0.0, "0 s"),
        (-0.0, "0 s"),
        (1e-30, "1.00e-21 ns"),
        (math.inf, "inf s"),
        (-math.inf, "-inf s"),
        (math.nan, "nan s"),
    ],
)
def test_seconds_have_three_digits_in_the_unit_that_suits(seconds: float, text: str) -> None:
    """A time keeps its trailing zeros and its sign, and is readable however extreme."""
    assert format_seconds(seconds) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.0312, "s", "31.2 ms"),
        (4190000.0, "B", "4.19 MB"),
        (12.0, "B", "12 B"),
        (0.0, "B", "0 B"),
        (3, "1", "3"),
        (0.45, "1", "0.450"),
        (1234567.0, "1", "1.23 M"),
        (6.88e10, "FLOP/s", "68.8 GFLOP/s"),
        (0.00521, "J", "5.21 mJ"),
        (2.0, "J", "2 J"),
        (None, "J", "-"),
    ],
)
def test_a_quantity_is_written_by_its_unit(value: float | None, unit: str, text: str) -> None:
    """A count has no unit, and what is a whole number below a thousand no decimals."""
    assert format_quantity(value, unit) == text


@pytest.mark.parametrize(("seconds", "text"), [(9.996e-4, "1.00 ms"), (0.9996, "1.00 s")])
def test_a_time_that_rounds_up_to_the_next_unit_is_shown_in_it(seconds: float, text: str) -> None:
    """There is no 1000 us."""
    assert format_seconds(seconds) == text


@pytest.mark.parametrize(
    ("precision", "text"),
    [
        (0.2, "40 ms"),
        (0.05, "38 ms"),
        (0.005, "38.4 ms"),
        (0.0005, "38.42 ms"),
        (0.0, "38.42 ms"),
        (1e-12, "38.42 ms"),
        (7.0, "40 ms"),
        (math.inf, "40 ms"),
        (math.nan, "40 ms"),
    ],
)
def test_a_time_shows_no_digit_that_its_precision_does_not_support(
    precision: float, text: str
) -> None:
    """An interval of 5 % supports two digits; there is one at least and four at most."""
    assert format_seconds(0.03842, precision) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (7, "7 B"), (999, "999 B"), (1000, "1.00 kB"), (4_194_304, "4.19 MB")],
)
def test_bytes_are_counted_exactly_below_a_kilobyte(count: int, text: str) -> None:
    """Prefixes are powers of 1000; nobody measures 7.00 B."""
    assert format_bytes(count) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (68.8e9, "FLOP/s", "68.8 GFLOP/s"),
        (12.1e9, "B/s", "12.1 GB/s"),
        (0.0, "B/s", "0 B/s"),
        (0.5, "B/s", "0.500 B/s"),
        (1e300, "B/s", "1.00e+282 EB/s"),
    ],
)
def test_rates_carry_a_prefix(value: float, unit: str, text: str) -> None:
    """The prefix joins the unit."""
    assert format_rate(value, unit) == text


@pytest.mark.parametrize(
    ("precision", "text"),
    [
        (0.004, "±0.4%"),
        (0.0123, "±1.2%"),
        (0.0996, "±10%"),
        (0.25, "±25%"),
        (0.0004, "±0.04%"),
        (0.0, "±0%"),
        (math.inf, "±inf%"),
    ],
)
def test_a_precision_is_rounded_but_never_to_zero(precision: float, text: str) -> None:
    """One decimal, fewer from 10 % on, more where one would read 0.0 %."""
    assert format_precision(precision) == text


def test_a_precision_can_be_written_in_ascii() -> None:
    """A terminal under LANG=C gets no character it cannot show."""
    assert format_precision(0.004, ascii_only=True) == "+-0.4%"


def test_what_is_missing_is_never_a_number() -> None:
    """None is shown as a dash by every function."""
    shown = format_seconds(None), format_bytes(None), format_rate(None, "B/s")
    assert {*shown, format_precision(None)} == {"-"}


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90.0),
        ("90s", 90.0),
        ("1.5m", 90.0),
        ("10m", 600.0),
        ("2h", 7200.0),
        ("500ms", 0.5),
        (" 0.5 S ", 0.5),
        (".5s", 0.5),
        ("1e-05", 1e-5),
    ],
)
def test_a_time_may_have_a_unit(text: str, seconds: float) -> None:
    """Without one it is in seconds."""
    assert parse_seconds(text) == seconds


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("4GB", 4 * 10**9),
        ("512MiB", 512 * 2**20),
        ("1.5 gib", 3 * 2**29),
        ("4000000", 4_000_000),
        ("9007199254740993", 2**53 + 1),
        ("9223372036854775807", 2**63 - 1),
        ("0.1B", 1),
    ],
)
def test_a_size_may_have_a_unit(text: str, count: int) -> None:
    """SI prefixes are powers of 1000, IEC prefixes of 1024; no byte is lost to rounding."""
    assert parse_bytes(text) == count


@pytest.mark.parametrize(
    "text", ["", "0", "0s", "-1", "soon", "5d", "1e99", "nan", "inf", "1 0", "٣", "1000001"]
)
def test_what_is_no_time_is_refused_with_examples(text: str) -> None:
    """Nothing, nothing negative, nothing beyond what a system call can wait for."""
    with pytest.raises(UsageError, match="such as 90, 90s"):
        parse_seconds(text)


@pytest.mark.parametrize("text", ["", "0", "-4GB", "4G", "4 apples", "9223372036854775808"])
def test_what_is_no_size_is_refused_with_examples(text: str) -> None:
    """4G could mean either power, so it means neither."""
    with pytest.raises(UsageError, match="such as 4GB, 512MiB"):
        parse_bytes(text)


@pytest.mark.parametrize("parse", [parse_seconds, parse_bytes])
@given(text=st.text() | st.from_regex(r"[0-9.e+-]*(ms|s|m|h|[KMGT]i?B)?"))
def test_no_text_breaks_the_parsers(parse: Callable[[str], float], text: str) -> None:
    """Whatever the text, there is a positive number or a usage error that quotes it."""
    try:
        assert parse(text) > 0
    except UsageError as error:
        assert repr(text) in str(error)  # noqa: PT017 - either outcome is right


@given(st.floats(1e-9, 1e5), st.floats(1e-4, 1.0))
def test_rounding_a_time_moves_it_by_few_half_widths(seconds: float, precision: float) -> None:
    """A digit is dropped only where the interval is at least a tenth of it: half of it is 5."""
    number, unit = format_seconds(seconds, precision).split()
    shown = float(number) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}[unit]
    assert abs(shown - seconds) <= seconds * precision * 5.001

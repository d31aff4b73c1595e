"""Bounds of inputs: told by arithmetic, and in one line whatever a value looks like."""

from __future__ import annotations

import pytest

from opperf.core.errors import UsageError
from opperf.core.tensors.bounds import MOST_OUTPUTS, require_outputs, within_bounds


@pytest.mark.parametrize(
    "error", [ValueError("math domain error"), OverflowError(34, "big"), KeyError("a"), TypeError()]
)
def test_an_arithmetic_error_names_what_was_given(error: Exception) -> None:
    """The value, what went wrong, and the default as what is allowed; the cause stays attached."""
    line = r"^Op: a=1e\+308: nothing.*; give .* a=16\.0$"
    given, defaults = {"a": 1e308, "b": 2}, {"a": 16.0, "b": 2}
    with pytest.raises(UsageError, match=line) as caught, within_bounds("Op", given, defaults):
        raise error
    assert caught.value.__cause__ is error


def test_an_error_of_the_declaration_itself_stays_one() -> None:
    """Where only defaults were given nobody else is at fault, nor where a method is missing."""
    for given in ({}, {"a": 1}):
        with pytest.raises(ZeroDivisionError), within_bounds("Op", given, {"a": 1}):
            raise ZeroDivisionError
    with pytest.raises(NotImplementedError), within_bounds("Op", {"a": 2}, {"a": 1}):
        raise NotImplementedError


@pytest.mark.parametrize(
    ("outputs", "rule"),
    [
        ([()] * (MOST_OUTPUTS + 1), "asks for 65537 outputs; at most 65536"),
        ([(2,) * 33], "has 33 dimensions; give 32"),
        ([(2**40, 2**40)], "has more than 2\\*\\*62 elements"),
        ([(3, -1)], "every dimension must be at least 0"),
    ],
)
def test_what_would_come_out_is_bounded(outputs: list[tuple[int, ...]], rule: str) -> None:
    """Many outputs, many dimensions, many elements, less than none."""
    with pytest.raises(UsageError, match=rule):
        require_outputs("Op: data=(1,)", outputs)

"""What fusing gains."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from opperf.reporting.gains import TITLE, gains

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.result import Result

    Make = Callable[..., Result]


def test_a_gain_is_the_time_of_the_parts_over_that_of_the_fused(make: Make) -> None:
    """Twice as fast fused is a gain of 2, per framework and direction."""
    found = gains(
        [
            make(name="ConvReLU", fused=True, seconds=1e-3),
            make(name="ConvReLU", fused=False, seconds=2e-3),
        ]
    )
    assert found[0] == TITLE
    assert found[1].endswith("2.00")
    assert "ConvReLU forward" in found[1]


def test_a_gain_inside_the_noise_is_marked(make: Make) -> None:
    """A difference of less than 2 % carries the mark of noise."""
    found = gains(
        [
            make(name="ConvReLU", fused=True, seconds=1.00e-3),
            make(name="ConvReLU", fused=False, seconds=1.01e-3),
        ]
    )
    assert found[1].endswith("~")


def test_nothing_is_said_where_one_variant_has_no_time(make: Make) -> None:
    """An unsupported fused operator has no gain, not one of zero."""
    found = gains(
        [
            make(name="ConvReLU", fused=True, status="unsupported", seconds=None),
            make(name="ConvReLU", fused=False, seconds=2e-3),
        ]
    )
    assert found == []


def test_several_sizes_are_named(make: Make) -> None:
    """Otherwise two lines would seem to say two things of one."""
    results = [
        make(name="ConvReLU", fused=fused, seconds=seconds, shapes=shapes)
        for shapes in (((4, 4),), ((8, 8),))
        for fused, seconds in ((True, 1e-3), (False, 2e-3))
    ]
    results[0:2] = [replace(r, operator={**r.operator, "size": "small"}) for r in results[0:2]]
    assert gains(results)[1:] == [
        "  ConvReLU small forward: mxnet 2.00",
        "  ConvReLU typical forward: mxnet 2.00",
    ]

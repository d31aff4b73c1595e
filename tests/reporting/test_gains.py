"""What fusing gains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.results.fusion import LAUNCH
from opperf.reporting.gains import NO_BANDWIDTH, NO_LAUNCH, NOISE, TITLE, UNSURE, gains
from opperf.reporting.table import table
from tests.records import changed

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]

CONV, RELU = "c" * 16, "d" * 16
WHOLE = """\
what fusing gains
operator  direction  framework  fused [ms]  in a row [ms]  sum [ms]  gain  kernels  launches [us]  traffic [us]  rest [us]
ConvReLU  forward    mxnet            1.00           2.00      2.50  2.00    1 / 2           5.00           800        195
gain: time of the parts in a row / time of the fused operator; above 1, it pays
sum: of the parts, each measured alone; kernels: fused / in a row
launches: an estimate of the time saved by them: kernels saved, each a OneElementCopy
traffic: likewise, what the parts write and read again, at the measured bandwidth
rest: of the time saved, what neither explains"""  # noqa: E501 - as wide as the terminal
NARROW = """\
what fusing gains
operator  direction  framework  fused [ms]  in a row [ms]  gain  kernels
ConvReLU  forward    mxnet            1.00           2.00  2.00    1 / 2
not shown at 80 columns: sum, launches, traffic, rest
gain: time of the parts in a row / time of the fused operator; above 1, it pays
kernels: fused / in a row"""


def both(make: Make, *, seconds: float = 1e-3, **fusion: Any) -> list[Result]:
    """Return a fused result with what was found of it, and that of its parts, of 2 ms."""
    known = {"kernels": ["sg"], "parts": [CONV, RELU], "traffic_bytes": 3_200_000, "bandwidth": 4e9}
    parts = {"kernels": ["Convolution", "Activation"]}
    return [
        make(name="ConvReLU", fused=True, seconds=seconds, fusion=known | fusion),
        make(name="ConvReLU", fused=False, seconds=2e-3, fusion=parts),
    ]


def alone(make: Make) -> list[Result]:
    """Return the parts, each by itself, and the launch."""
    return [
        make(name="Conv2D", series_key=CONV, seconds=2.2e-3),
        make(name="ReLU", series_key=RELU, seconds=0.3e-3),
        make(name=LAUNCH, seconds=5e-6),
    ]


def row(results: list[Result]) -> list[str]:
    """Return the cells of the only row of the table, where nothing stands in two words."""
    return gains(results, 80)[2].split()


def test_fused_in_a_row_and_sum_of_parts(make: Make) -> None:
    """Three times, their gain, the kernels, and where there is room what was saved by what."""
    results = [*both(make), *alone(make)]
    assert "\n".join(gains(results, 130)) == WHOLE
    assert "\n".join(gains(results, 80)) == NARROW


def test_a_gain_inside_the_noise_is_marked(make: Make) -> None:
    """A difference of less than 2 % carries the mark of noise, and is not split up."""
    close = both(make, seconds=1.99e-3)
    assert row(close)[-5:] == ["1.01", "~", "1", "/", "2"]
    found = gains([*close, *alone(make)], 120)
    assert "launches" not in found[1]
    assert found[-1] == NOISE
    assert not {NO_BANDWIDTH, NO_LAUNCH} & {*gains(close, 120)}


def test_a_gain_of_unreliable_times_is_none(make: Make) -> None:
    """The time is marked, and so is a sum with such a part; the launch has to be reliable too."""
    fused, parts = both(make)
    conv, relu, launch = alone(make)
    noisy = [changed(each, status="noisy") for each in (parts, relu, launch)]
    found = gains([fused, noisy[0], conv, noisy[1], launch], 120)
    assert found[2].split()[3:] == [
        "1.00", "!", "2.00", "!", "2.50", "?", "1", "/", "2",
    ]  # fmt: skip
    assert UNSURE in found
    assert "launches" not in found[1]
    assert NO_LAUNCH in gains([fused, parts, conv, relu, noisy[2]], 120)


def test_what_is_too_narrow_for_all_names_goes_without_the_sum(make: Make) -> None:
    """Two long names that begin alike can still be told apart."""
    name = "ConvBatchNormReLU"
    fused, parts = (changed(r, operator={"name": name}) for r in both(make))
    noisy = changed(parts, status="noisy")
    lines = gains([fused, noisy, *alone(make)], 80)
    assert lines[2].startswith(f"{name}  forward")
    assert "sum" not in lines[1]
    assert "not shown at 80 columns: sum" in "".join(lines)
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("kernels", [["conv", "relu"], ["layout", "conv", "layout"]])
def test_what_saves_no_kernel_has_no_gain(make: Make, kernels: list[str]) -> None:
    """However fast it is: the times stand there, and nothing is asked for to split them."""
    found = gains([*both(make, kernels=kernels, bandwidth=None), *alone(make)], 120)
    assert found[2].split()[3:6] == ["1.00", "2.00", "2.50"]
    assert found[2].endswith(f"not fused    {len(kernels)} / 2")
    assert not {NO_BANDWIDTH, NO_LAUNCH} & {*found}


def test_kernels_that_were_not_counted_are_missing(make: Make) -> None:
    """The gain is told all the same, as in records of earlier versions."""
    fused = make(name="ConvReLU", fused=True, seconds=1e-3)
    parts = make(name="ConvReLU", fused=False, seconds=2e-3)
    assert row([fused, parts])[-5:] == ["-", "2.00", "-", "/", "-"]


def test_a_sum_needs_every_part(make: Make) -> None:
    """One that failed, or that another run measured, is not left out of the sum in silence."""
    conv, relu, _ = alone(make)
    elsewhere = make(name="ReLU", series_key=RELU, seconds=0.3e-3, run_id="another")
    failed = make(name="ReLU", series_key=RELU, status="failed", seconds=None)
    assert "2.50" in gains([*both(make), conv, relu], 100)[2]
    for other in (elsewhere, failed):
        assert "2.50" not in gains([*both(make), conv, other], 100)[2]


def test_what_the_split_lacks_is_said(make: Make) -> None:
    """With what to run; nothing is estimated from a figure that was not measured."""
    conv, relu, launch = alone(make)
    without = gains([*both(make, bandwidth=None), conv, relu, launch], 120)
    assert without[-1] == NO_BANDWIDTH
    assert "launches" not in without[1]
    assert gains([*both(make), conv, relu], 120)[-1] == NO_LAUNCH


def test_a_training_direction_has_no_split_and_asks_for_none(make: Make) -> None:
    """A backward may need what the parts hand on, so that no traffic is saved for certain."""
    found = gains([*both(make, traffic_bytes=None, bandwidth=None), *alone(make)], 120)
    assert "launches" not in found[1]
    assert not {NO_BANDWIDTH, NO_LAUNCH} & {*found}


def test_nothing_is_said_where_one_variant_has_no_time(make: Make) -> None:
    """An unsupported fused operator has no gain, not one of zero."""
    fused = make(name="ConvReLU", fused=True, status="unsupported", seconds=None)
    assert gains([fused, make(name="ConvReLU", fused=False, seconds=2e-3)], 80) == []


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_table_ends_with_it(make: Make, width: int) -> None:
    """Below what marks mean, no wider than the terminal, in ASCII where that is asked for."""
    text = table([*both(make), *alone(make)], width, ascii_only=True)
    assert f"\n\n{TITLE}\n" in text
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= width


def test_several_sizes_are_named(make: Make) -> None:
    """Otherwise two rows would seem to say two things of one."""
    results = [
        make(name="ConvReLU", fused=fused, seconds=seconds, shapes=shapes)
        for shapes in (((4, 4),), ((8, 8),))
        for fused, seconds in ((True, 1e-3), (False, 2e-3))
    ]
    results[0:2] = [changed(r, operator={"size": "small"}) for r in results[0:2]]
    rows = [line.split()[:3] for line in gains(results, 120)[1:] if "ConvReLU" in line]
    assert rows == [["ConvReLU", "small", "forward"], ["ConvReLU", "typical", "forward"]]

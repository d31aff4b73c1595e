"""The lines that an operator leaves behind when it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.reporting.live import live_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]


def test_a_line_a_result_in_fixed_places(make: Make) -> None:
    """They align although they are printed one operator at a time."""
    results = [
        make(name="Add", framework="pytorch", seconds=429e-6, precision=0.003),
        make(name="Conv2D", shapes=((64, 3, 224, 224), (64, 3, 7, 7), (64,)), precision=None),
        make(direction="forward_recorded", status="noisy", precision=0.2, seconds=1.0),
        make(direction="forward_backward", status="crashed", signal="SIGSEGV", reason="killed"),
        make(direction="backward", status="unsupported"),
    ]
    assert live_lines(results, 100) == [
        "pytorch  Add (1024,1024)x2                        forward       429 us ±0.3%",
        "mxnet    Conv2D lhs(64,3,224,224) rhs(64,3,7,7)…  forward   !  31.2 ms ±?",
        "mxnet    Dot (1024,1024)x2                        recorded  !    1.0 s ±20%",
        "mxnet    Dot (1024,1024)x2                        fwd+bwd     crashed SIGSEGV: killed",
        "mxnet    Dot (1024,1024)x2                        backward    unsupported",
    ]


@pytest.mark.parametrize("width", [80, 100])
def test_the_longest_lines_do_not_wrap(make: Make, width: int) -> None:
    """Neither a long name with long shapes nor a reason makes one, and the interval stays."""
    shapes = ((1024, 2048, 512, 64), (2**40, 3), (77,))
    long = {"name": "ScaledDotProductAttention" * 3, "fused": True, "shapes": shapes}
    results = [
        make(**long, seconds=9.999e-4, precision=0.00021, direction="forward_recorded"),
        make(**long, seconds=9.999e-4, precision=0.99, status="noisy"),
        make(**long, status="unsupported", reason="there is no " + "such thing " * 30),
    ]
    lines = live_lines(results, width)
    assert max(map(len, lines)) <= width
    assert lines[0].endswith("999.9 us ±0.02%")
    assert lines[1].endswith("!     1 ms ±99%")
    assert "unsupported: ther" in lines[2]


def test_companions_are_not_told(make: Make) -> None:
    """Nobody asked for them."""
    operator = {**make().operator.to_mapping(), "companion": True}
    assert live_lines([make(operator=operator)], 80) == []


def test_lines_fit_and_are_harmless(make: Make, hostile: str) -> None:
    """Whatever an operator, a framework or a reason is called."""
    result = make(
        name=hostile, framework=hostile, direction=hostile, status="failed", reason=hostile
    )
    for ascii_only in (False, True):
        (line,) = live_lines([result], 80, ascii_only=ascii_only)
        assert len(line) <= 80
        assert line.isprintable()
        assert line.isascii() or not ascii_only


def test_no_results_no_lines() -> None:
    """Nothing to say."""
    assert live_lines([], 80) == []

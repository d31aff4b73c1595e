"""The terminal's table, as a user sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.reporting.table import table

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]

CRASH = "the child was killed by SIGSEGV in a place that takes a rather long sentence to describe"

AT_80 = """\
operator, inputs          direction            mxnet           pytorch  ratio
Dot                       forward      31.2 ms ±0.4%    29.80 ms ±0.3%   0.96
(1024,1024)x2             backward     63.0 ms ±0.5%     63.4 ms ±0.4%   1.01  ~
                          fwd+bwd      94.1 ms ±0.4%  !    90 ms  ±11%   0.96  ~
ConvReLU (fused) lhs(64…  forward    crashed SIGSEGV     4.50 us    ±?      -
Add (1024,1024)x2         forward       wrong result      429 us ±0.4%      -

time: median, ± half its 95 % interval within this one process
±? too few or too dependent samples for an interval
! noisy: do not rely on this time
ratio: pytorch / mxnet; below 1, pytorch takes less time
~ in noise: intervals overlap or are missing, or the ratio is within 2 % of 1

7 ok, 1 noisy, 1 crashed, 1 wrong result
crashed SIGSEGV: ConvReLU (fused) mxnet forward: the child was killed by SIGSEGV
  in a place that takes a rather long sentence to describe
wrong result: Add mxnet forward: max_abs_error 3.0"""

ASCII = """\
operator, inputs         direction            mxnet            pytorch  ratio
Dot                      forward     31.2 ms +-0.4%    29.80 ms +-0.3%   0.96
(1024,1024)x2            backward    63.0 ms +-0.5%     63.4 ms +-0.4%   1.01  ~
                         fwd+bwd     94.1 ms +-0.4%  !    90 ms  +-11%   0.96  ~
ConvReLU (fused) lhs...  forward    crashed SIGSEGV     4.50 us    +-?      -
Add (1024,1024)x2        forward       wrong result      429 us +-0.4%      -

time: median, +- half its 95 % interval within this one process
+-? too few or too dependent samples for an interval
! noisy: do not rely on this time
ratio: pytorch / mxnet; below 1, pytorch takes less time
~ in noise: intervals overlap or are missing, or the ratio is within 2 % of 1

7 ok, 1 noisy, 1 crashed, 1 wrong result
crashed SIGSEGV: ConvReLU (fused) mxnet forward: the child was killed by SIGSEGV
  in a place that takes a rather long sentence to describe
wrong result: Add mxnet forward: max_abs_error 3.0"""

HEAD_AT_120 = """\
operator          inputs                    direction            mxnet           pytorch  ratio     notes
Dot               (1024,1024)x2             forward      31.2 ms ±0.4%    29.80 ms ±0.3%   0.96     pytorch: outliers
                                            backward     63.0 ms ±0.5%     63.4 ms ±0.4%   1.01  ~
                                            fwd+bwd      94.1 ms ±0.4%  !    90 ms  ±11%   0.96  ~  pytorch: noisy
ConvReLU (fused)  lhs(64,3,224,224) rhs(6…  forward    crashed SIGSEGV     4.50 us    ±?      -     pytorch: no_interval
Add               (1024,1024)x2             forward       wrong result      429 us ±0.4%      -
"""  # noqa: E501 - as wide as the terminal

HEAD_AT_160 = """\
operator          inputs                       direction            mxnet           pytorch  ratio     output     mxnet rate  pytorch rate  notes
Dot               (1024,1024)x2                forward      31.2 ms ±0.4%    29.80 ms ±0.3%   0.96     4.19 MB  68.8 GFLOP/s  72.1 GFLOP/s  pytorch: outliers
                                               backward     63.0 ms ±0.5%     63.4 ms ±0.4%   1.01  ~           34.1 GFLOP/s  33.9 GFLOP/s
                                               fwd+bwd      94.1 ms ±0.4%  !    90 ms  ±11%   0.96  ~           22.8 GFLOP/s  23.8 GFLOP/s  pytorch: noisy
ConvReLU (fused)  lhs(64,3,224,224) rhs(64,3…  forward    crashed SIGSEGV     4.50 us    ±?      -     4.19 MB             -   477 TFLOP/s  pytorch: no_interval
Add               (1024,1024)x2                forward       wrong result      429 us ±0.4%      -     4.19 MB             -     29.3 GB/s
"""  # noqa: E501 - as wide as the terminal

THREE_AT_80 = """\
operator, inputs     direction            mxnet           pytorch          numpy
Dot                  forward      31.2 ms ±0.4%    29.80 ms ±0.3%  50.0 ms ±0.4%
(1024,1024)x2        backward     63.0 ms ±0.5%     63.4 ms ±0.4%              -
                     fwd+bwd      94.1 ms ±0.4%  !    90 ms  ±11%              -
"""


@pytest.fixture
def mixed(make: Make) -> list[Result]:
    """Return what a run may hold: sound, noisy, unknown, crashed and wrong."""
    conv = {
        "name": "ConvReLU",
        "fused": True,
        "shapes": ((64, 3, 224, 224), (64, 3, 7, 7), (64,)),
        "attributes": {"stride": 1, "padding": [1, 1]},
    }
    add = {"name": "Add", "flop_count": 2**20}
    pytorch, back, both = (
        {"framework": "pytorch"},
        {"direction": "backward"},
        {"direction": "forward_backward"},
    )
    noisy = {"status": "noisy", "warnings": ["noisy"]}
    return [
        make(),
        make(**back, seconds=0.063, precision=0.005),
        make(**both, seconds=0.0941),
        make(**pytorch, seconds=0.0298, precision=0.003, warnings=["outliers"]),
        make(**pytorch, **back, seconds=0.0634),
        make(**pytorch, **both, **noisy, seconds=0.0902, precision=0.11),
        make(**conv, status="crashed", signal="SIGSEGV", reason=CRASH),
        make(**conv, **pytorch, seconds=4.5e-6, precision=None, warnings=["no_interval"]),
        make(**add, status="wrong_result", reason="max_abs_error 3.0"),
        make(**add, **pytorch, seconds=429e-6),
    ]


def test_80_columns(mixed: list[Result]) -> None:
    """Inputs stand below their operator; there is no room for notes and rates."""
    assert table(mixed, 80) == AT_80


def test_80_columns_under_lang_c(mixed: list[Result]) -> None:
    """The same in ASCII."""
    assert table(mixed, 80, ascii_only=True) == ASCII


def test_120_columns(mixed: list[Result]) -> None:
    """Inputs have a column of their own, and there are notes."""
    assert table(mixed, 120).startswith(HEAD_AT_120)


def test_160_columns(mixed: list[Result]) -> None:
    """Each framework has its rate: one rate for two would be nobody's."""
    text = table(mixed, 160)
    assert text.startswith(HEAD_AT_160)
    assert CRASH in text


def test_three_frameworks_at_80_columns(mixed: list[Result], make: Make) -> None:
    """The ratio goes before a time does."""
    text = table([*mixed, make(framework="numpy", seconds=0.05)], 80)
    assert text.startswith(THREE_AT_80)
    assert "ratio" not in text


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("width", [1, 20, 40, 60, 80, 100, 120, 139, 140, 160, 300])
def test_no_line_is_wider_than_the_terminal(
    mixed: list[Result], width: int, *, ascii_only: bool
) -> None:
    """Whatever has to go for that."""
    text = table(mixed, width, ascii_only=ascii_only)
    assert max(map(len, text.splitlines())) <= width
    assert text.isascii() or not ascii_only


def test_one_framework_has_no_ratio(make: Make) -> None:
    """And its notes need not name it."""
    assert table([make(warnings=["drift"])], 80).splitlines()[:2] == [
        "operator  inputs         direction          mxnet  notes",
        "Dot       (1024,1024)x2  forward    31.2 ms ±0.4%  drift",
    ]


def test_notes_that_all_frameworks_share_are_said_once(make: Make) -> None:
    """Codes that differ are told apart by framework."""
    same = [make(framework=name, warnings=["drift"]) for name in ("mxnet", "pytorch")]
    assert table(same, 120).splitlines()[1].endswith("  drift")
    other = make(framework="pytorch", warnings=["drift", "outliers"])
    line = table([same[0], other], 160).splitlines()[1]
    assert line.endswith("mxnet: drift; pytorch: drift, outliers")
    late = [make(name="Add"), other, same[0]]
    assert table(late, 160).splitlines()[2].endswith("mxnet: drift; pytorch: drift, outliers")


def test_nothing_says_so() -> None:
    """An empty table would look like a fault."""
    assert table([], 80) == "no results"


def test_all_failed(make: Make) -> None:
    """There are no numbers, and each reason stands once with the first place it was met."""
    directions = ("forward", "backward")
    results = [
        make(name=name, direction=direction, status="failed", reason="mxnet: MXNetError: no such")
        for name in ("Dot", "Add", "Exp")
        for direction in directions
    ]
    assert table(results, 80).splitlines() == [
        "operator  inputs         direction   mxnet",
        "Dot       (1024,1024)x2  forward    failed",
        "                         backward   failed",
        "Add       (1024,1024)x2  forward    failed",
        "                         backward   failed",
        "Exp       (1024,1024)x2  forward    failed",
        "                         backward   failed",
        "",
        "6 failed",
        "failed: Dot mxnet forward, backward and 4 more: MXNetError: no such",
    ]


def test_a_result_that_is_missing_is_neither_failed_nor_zero(make: Make) -> None:
    """It is a dash, and counts nowhere."""
    results = [make(), make(name="Add", framework="pytorch", seconds=1.0)]
    text = table(results, 80)
    assert text.splitlines()[1:3] == [
        "Dot       (1024,1024)x2  forward    31.2 ms ±0.4%              -      -",
        "Add       (1024,1024)x2  forward                -  1.000 s ±0.4%      -",
    ]
    assert "\n2 ok" in text


def test_definitions_that_differ_are_marked(make: Make) -> None:
    """The ratio is shown, and what it is worth."""
    other = make(framework="pytorch", seconds=1.0, definition_key="other")
    text = table([make(), other], 80)
    assert "32.1  x" in text
    assert "\nx not comparable" in text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(1e-6, "1e-06"), (0.0123, "0.012"), (0.0997, "0.100"), (0.954, "0.95"), (9.96, "9.96"),
     (12.34, "12.3"), (123.4, "123"), (2e7, "2e+07")],
)  # fmt: skip
def test_a_ratio_has_the_decimals_that_suit_it(make: Make, seconds: float, text: str) -> None:
    """Two around 1, more below and fewer above."""
    results = [make(seconds=1.0), make(framework="pytorch", seconds=seconds)]
    assert table(results, 100).splitlines()[1].split("%")[2].split()[0] == text


@pytest.mark.parametrize("width", [80, 160])
def test_hostile_names_reach_no_terminal(make: Make, hostile: str, width: int) -> None:
    """Neither in a name nor in a reason, framework, attribute or warning."""
    result = make(
        name=hostile,
        framework=hostile,
        direction=hostile,
        status="crashed",
        signal=hostile,
        reason=hostile,
        attributes={hostile: hostile},
    )
    lines = table([result, make(warnings=[hostile])], width).split("\n")
    assert all(line.isprintable() and len(line) <= width for line in lines)
    assert len([line for line in lines if not line.startswith("  ")]) == 8
    assert max(map(len, lines)) <= width
    assert "31.2 ms ±0.4%" in lines[2]


def test_a_name_of_ten_thousand_characters_leaves_room_for_the_rest(make: Make) -> None:
    """It is cut; the times of the others are still there."""
    text = table([make(name="x" * 10_000), make(name="Add", seconds=2.0)], 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "2.000 s ±0.4%" in text

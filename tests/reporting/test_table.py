"""The terminal's table, as a user sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.table import table

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]

CRASH = "the child was killed by SIGSEGV in a place that takes a rather long sentence to describe"

AT_80 = """\
operator, inputs          direction       mxnet [ms]      pytorch [ms]  ratio
Dot                       forward     31.2     ±0.4%    29.80    ±0.3%   0.96
(1024,1024)x2             backward    63.0     ±0.5%    63.4     ±0.4%   1.01  ~
                          fwd+bwd     94.1     ±0.4%  ! 90        ±11%      ?
ConvReLU (fused) lhs(64…  forward    crashed SIGSEGV  !  0.00450    ±?      -
Add (1024,1024)x2         forward       wrong result     0.429   ±0.4%      -

time: median, ± half its 95 % interval within this one process
±? no interval, or one as wide as the time is long
! do not rely on this time; opperf show --statistics says why
ratio: pytorch / mxnet; below 1, pytorch takes less time; geometric mean 0.98
  over 2 reliable pairs; 1 left out
? one of the two times is not to be relied on
~ in noise: intervals overlap, or the ratio is within 2 % of 1
not shown at 80 columns: output, mxnet rate, pytorch rate

7 ok, 1 noisy, 1 crashed, 1 wrong result
crashed SIGSEGV: ConvReLU (fused) mxnet forward: the child was killed by SIGSEGV
  in a place that takes a rather long sentence to describe
wrong result: Add mxnet forward: max_abs_error 3.0"""

ASCII = """\
operator, inputs         direction       mxnet [ms]       pytorch [ms]  ratio
Dot                      forward    31.2     +-0.4%    29.80    +-0.3%   0.96
(1024,1024)x2            backward   63.0     +-0.5%    63.4     +-0.4%   1.01  ~
                         fwd+bwd    94.1     +-0.4%  ! 90        +-11%      ?
ConvReLU (fused) lhs...  forward    crashed SIGSEGV  !  0.00450    +-?      -
Add (1024,1024)x2        forward       wrong result     0.429   +-0.4%      -

time: median, +- half its 95 % interval within this one process
+-? no interval, or one as wide as the time is long
! do not rely on this time; opperf show --statistics says why
ratio: pytorch / mxnet; below 1, pytorch takes less time; geometric mean 0.98
  over 2 reliable pairs; 1 left out
? one of the two times is not to be relied on
~ in noise: intervals overlap, or the ratio is within 2 % of 1
not shown at 80 columns: output, mxnet rate, pytorch rate

7 ok, 1 noisy, 1 crashed, 1 wrong result
crashed SIGSEGV: ConvReLU (fused) mxnet forward: the child was killed by SIGSEGV
  in a place that takes a rather long sentence to describe
wrong result: Add mxnet forward: max_abs_error 3.0"""

HEAD_AT_120 = """\
operator          inputs                                          direction       mxnet [ms]      pytorch [ms]  ratio
Dot               (1024,1024)x2                                   forward     31.2     ±0.4%    29.80    ±0.3%   0.96
                                                                  backward    63.0     ±0.5%    63.4     ±0.4%   1.01  ~
                                                                  fwd+bwd     94.1     ±0.4%  ! 90        ±11%      ?
ConvReLU (fused)  lhs(64,3,224,224) rhs(64,3,7,7) bias(64) stri…  forward    crashed SIGSEGV  !  0.00450    ±?      -
Add               (1024,1024)x2                                   forward       wrong result     0.429   ±0.4%      -
"""  # noqa: E501 - as wide as the terminal

HEAD_AT_160 = """\
operator          inputs                                             direction       mxnet [ms]      pytorch [ms]  ratio     output     mxnet rate  pytorch rate
Dot               (1024,1024)x2                                      forward     31.2     ±0.4%    29.80    ±0.3%   0.96     4.19 MB  68.8 GFLOP/s  72.1 GFLOP/s
                                                                     backward    63.0     ±0.5%    63.4     ±0.4%   1.01  ~           34.1 GFLOP/s  33.9 GFLOP/s
                                                                     fwd+bwd     94.1     ±0.4%  ! 90        ±11%      ?              22.8 GFLOP/s  23.8 GFLOP/s
ConvReLU (fused)  lhs(64,3,224,224) rhs(64,3,7,7) bias(64) stride=…  forward    crashed SIGSEGV  !  0.00450    ±?      -     4.19 MB             -   477 TFLOP/s
Add               (1024,1024)x2                                      forward       wrong result     0.429   ±0.4%      -     4.19 MB             -     29.3 GB/s
"""  # noqa: E501 - as wide as the terminal

THREE_AT_80 = """\
operator,…   direction       mxnet [ms]      pytorch [ms]      numpy [ms]  ratio
Dot          forward     31.2     ±0.4%    29.80    ±0.3%  50.0     ±0.4%   1.60
(1024,1024…  backward    63.0     ±0.5%    63.4     ±0.4%               -      -
             fwd+bwd     94.1     ±0.4%  ! 90        ±11%               -      -
ConvReLU (…  forward    crashed SIGSEGV  !  0.00450    ±?               -      -
Add (1024,…  forward       wrong result     0.429   ±0.4%               -      -
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
    """Inputs stand below their operator; there is no room for rates."""
    assert table(mixed, 80) == AT_80


def test_80_columns_under_lang_c(mixed: list[Result]) -> None:
    """The same in ASCII."""
    assert table(mixed, 80, ascii_only=True) == ASCII


def test_120_columns(mixed: list[Result]) -> None:
    """Inputs have a column of their own; no code of a warning is anywhere in the table."""
    text = table(mixed, 120)
    assert text.startswith(HEAD_AT_120)
    assert "outliers" not in text
    assert "no_interval" not in text


def test_160_columns(mixed: list[Result]) -> None:
    """Each framework has its rate: one rate for two would be nobody's."""
    text = table(mixed, 160)
    assert text.startswith(HEAD_AT_160)
    assert CRASH in text


def test_three_frameworks_at_80_columns(mixed: list[Result], make: Make) -> None:
    """The ratio stays; operator and inputs give way to it."""
    text = table([*mixed, make(framework="numpy", seconds=0.05)], 80)
    assert text.startswith(THREE_AT_80)


def test_four_frameworks_at_80_columns(mixed: list[Result], make: Make) -> None:
    """The ratio stays, and so does the mark; intervals go, and are not explained."""
    others = [make(framework=name, seconds=0.05) for name in ("numpy", "other")]
    text = table([*mixed, *others], 80)
    head, first, _, third, *below = text.splitlines()
    names = [word for word in head.split() if word != "[ms]"]
    assert names[-6:] == ["direction", "mxnet", "pytorch", "numpy", "other", "ratio"]
    assert head.count("[ms]") == 4
    assert first.split()[-2:] == ["50.0", "1.60"]
    assert third.split()[-5:] == ["!", "90", "-", "-", "-"]
    assert not any("±" in line for line in below)


LONG = "ScaledDotProductAttentionWithEverything" * 3
WORST = {"seconds": 999.9e-6, "precision": 0.00021}


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("name", ["Add", LONG])
@pytest.mark.parametrize("shapes", [((64, 64),) * 2, ((1024, 2048, 512, 64), (2**40, 3), (77,))])
def test_the_ratio_stays(make: Make, width: int, name: str, shapes: Any) -> None:
    """Beside the longest names, shapes and times, and a framework that crashed elsewhere."""
    shared = {"name": name, "shapes": shapes, "attributes": {"axis": [1, 2, 3], "mode": "x" * 40}}
    results = [
        make(**shared, **WORST),
        make(**shared, framework="pytorch", seconds=9.999e-6, precision=0.00021),
        make(**shared, direction="backward", status="noisy", seconds=1.0, precision=0.3),
        make(**shared, framework="pytorch", direction="backward", status="crashed",
             signal="SIGSEGV"),
    ]  # fmt: skip
    lines = table(results, width).splitlines()
    assert lines[0].split()[-1] == "ratio"
    assert lines[1].split()[-1] == "0.010"
    assert lines[2].split()[-1] == "-"
    assert "±0.02%" in lines[1]
    assert max(map(len, lines)) <= width


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
    """And what its samples gave rise to is said elsewhere."""
    assert table([make(warnings=["drift"])], 80).splitlines()[:2] == [
        "operator  inputs         direction  mxnet [ms]",
        "Dot       (1024,1024)x2  forward    31.2 ±0.4%",
    ]


def test_notes_are_for_what_a_reader_must_know(make: Make) -> None:
    """A GPU's other figures; what frameworks share is said once, without its framework."""
    times = {"submit": 10.1e-6, "latency": 14.2e-6, "graph": False}
    same = [make(framework=name, device_times=times) for name in ("mxnet", "pytorch")]
    note = "submit 10.1 us, latency 14.2 us"
    assert table(same, 120).splitlines()[1].endswith(f"~  {note}")
    other = make(framework="pytorch", device_times=times | {"graph": True})
    line = table([same[0], other], 200).splitlines()[1]
    assert line.endswith(f"mxnet: {note}; pytorch: {note}, graph")


def test_a_time_without_a_usable_interval_looks_so(make: Make) -> None:
    """One flag, "?" for the interval and for the ratio; the mean leaves it out and says so."""
    names = ("none", "wide", "sound")
    odd: dict[str, dict[str, Any]] = {
        "none": {"precision": None},
        "wide": {"status": "noisy", "precision": 35.2},
        "sound": {},
    }
    results = [
        make(name=name, framework=framework, **{"seconds": seconds, **(odd[name] if last else {})})
        for name in names
        for framework, seconds, last in (("mxnet", 0.03, False), ("pytorch", 0.06, True))
    ]
    lines = table(results, 100).splitlines()
    assert [line.split("%", 1)[1].split() for line in lines[1:4]] == [
        ["!", "60.0", "±?", "?"],
        ["!", "60.0", "±?", "?"],
        ["60.0", "±0.4%", "2.00"],
    ]
    assert "geometric mean 2.00 over 1 reliable pair; 2 left out" in " ".join(map(str.strip, lines))


def test_companions_do_not_stand_among_what_was_asked_for(make: Make) -> None:
    """They are counted apart; their trouble is told all the same."""
    fused = make(name="ConvReLU", fused=True)
    operator = {**make(name="ReLU").operator.to_mapping(), "companion": True}
    relu = make(operator=operator)
    failed = make(operator={**operator, "name": "Conv2D"}, status="failed", reason="no memory")
    lines = table([fused, relu, failed], 100).splitlines()
    assert lines[1].startswith("ConvReLU (fused)")
    assert lines[2] == ""
    assert lines[-3:] == [
        "1 ok",
        "measured beside them: 1 ok, 1 failed",
        "failed: Conv2D mxnet forward: no memory",
    ]
    assert table([relu], 100).splitlines()[1].startswith("ReLU ")


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
        "not shown at 80 columns: output",
        "",
        "6 failed",
        "failed: Dot mxnet forward, backward and 4 more: MXNetError: no such",
    ]


def test_a_result_that_is_missing_is_neither_failed_nor_zero(make: Make) -> None:
    """It is a dash, and counts nowhere."""
    results = [make(), make(name="Add", framework="pytorch", seconds=1.0)]
    text = table(results, 80)
    assert text.splitlines()[1:3] == [
        "Dot       (1024,1024)x2  forward    31.2 ±0.4%             -      -",
        "Add       (1024,1024)x2  forward             -  1000   ±0.4%      -",
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
    assert len([line for line in lines if not line.startswith("  ")]) == (9 if width == 80 else 8)
    assert max(map(len, lines)) <= width
    assert "31.2 ±0.4%" in lines[2]


def test_a_name_of_ten_thousand_characters_leaves_room_for_the_rest(make: Make) -> None:
    """It is cut; the times of the others are still there."""
    text = table([make(name="x" * 10_000), make(name="Add", seconds=2.0)], 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "2000   ±0.4%" in text

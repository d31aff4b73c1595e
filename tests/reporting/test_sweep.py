"""The table of a sweep, on results whose times lie on a known line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.reporting.series import bytes_moved, series
from opperf.reporting.sweep import sweep_table
from opperf.reporting.sweep_rows import sweep_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]

LENGTHS = tuple(4**step for step in range(8))
MOVED = 8192


@pytest.fixture
def swept(make: Make) -> Callable[..., list[Result]]:
    """Return a function that makes a sweep of 1 us and 10 GB/s, from 8 kB to 134 MB."""

    def sweep(name: str = "Exp", **changes: Any) -> list[Result]:
        return [
            make(**{
                "name": name,
                "shapes": [(length, 1024)],
                "seconds": 1e-6 + length * MOVED / 1e10,
                "byte_count": length * MOVED,
                "flop_count": length * 1024,
                **changes,
            })
            for length in LENGTHS
        ]  # fmt: skip

    return sweep


def test_a_line_an_operator_framework_and_direction(swept: Callable[..., list[Result]]) -> None:
    """However the results are mixed; the name stands once."""
    parts = [swept(), swept(framework="pytorch"), swept(direction="backward")]
    mixed = [result for turn in zip(*parts, strict=True) for result in turn]
    assert len(series(mixed)) == 3
    lines = sweep_table(mixed, 80).splitlines()
    first = lines.index("") + 1
    assert [line.split("±")[0].split() for line in lines[first + 1 : first + 4]] == [
        ["Exp", "mxnet", "forward", "1.0"],
        ["pytorch", "forward", "1.0"],
        ["mxnet", "backward", "1.0"],
    ]
    assert "24 ok" in lines


def test_shapes_beyond_the_leading_length_tell_series_apart(
    swept: Callable[..., list[Result]], make: Make
) -> None:
    """And so do attributes, but for the leading length of one that is a shape."""
    wide = make(name="Exp", shapes=[(1, 2048)])
    assert len(series([*swept(), wide])) == 2
    assert len(series([*swept(attributes={"axis": 0}), *swept(attributes={"axis": 1})])) == 2
    shapes = [make(shapes=[], attributes={"shape": [n, 8]}) for n in (1, 4)]
    assert len(series(shapes)) == 1


def test_what_computes_is_counted_in_flop(swept: Callable[..., list[Result]]) -> None:
    """The largest size decides: the smallest may move more than it computes."""
    results = swept("Dot", byte_count=10**6)
    (row,) = sweep_rows(results)
    assert row["unit"] == "FLOP"
    assert row["rate"] == pytest.approx(1024 * 1e10 / MOVED)
    table = sweep_table(results, 80)
    assert "GFLOP/s" in table
    assert "n: FLOP of what computes more than it moves" in table


def test_a_backward_without_a_count_is_seen_over_its_tensors(make: Make) -> None:
    """The bytes of its inputs and outputs, as those of the forward."""
    tensor = {"name": "data", "shape": [4], "dtype": "float32", "nbytes": 16}
    assert bytes_moved(make(byte_count=None, inputs=(tensor, tensor), memory={"outputs": 8})) == 40
    assert bytes_moved(make(byte_count=0)) == 0


def test_cliffs_are_told_below_the_table(swept: Callable[..., list[Result]]) -> None:
    """Where the time leaves the line, each step once, with how far it is off."""
    results = swept()
    slow = [
        swept(seconds=factor * (results[at].seconds or 0))[at]
        for at, factor in ((6, 3.0), (7, 3.1))
    ]
    table = sweep_table([*results[:6], *slow], 80)
    assert "  Exp mxnet forward: 33.6 MB 3x ±" in table
    (row,) = sweep_rows([*results[:6], *slow])
    steps = [step.split(":") for step in str(row["cliffs"]).split()]
    assert [step[:2] for step in steps] == [["33554432", "3"], ["134217728", "3.1"]]
    assert all(0 < float(error) < 0.02 for *_, error in steps)


def test_times_stand_by_size_with_their_ratios(swept: Callable[..., list[Result]]) -> None:
    """Frameworks side by side, in the words of any other table."""
    both = [*swept(), *swept(framework="pytorch")]
    lines = sweep_table(both, 100).splitlines()
    assert lines[0].split() == [
        "operator", "direction", "n", "inputs", "mxnet", "[us]", "pytorch", "[us]", "ratio",
    ]  # fmt: skip
    assert lines[1].split()[:5] == ["Exp", "forward", "8.19", "kB", "(1,1024)"]
    assert lines[2].split()[:3] == ["32.8", "kB", "(4,1024)"]
    assert [line.split()[-2:] for line in lines[1:9]] == [["1.00", "~"]] * 8


def test_an_unreliable_size_is_no_point(swept: Callable[..., list[Result]]) -> None:
    """It is shown with its mark, left out of the line, and counted."""
    results = swept()
    odd = swept(status="noisy", seconds=1.0, precision=0.3)[3]
    without_interval = swept(seconds=1.0, precision=None)[4]
    mixed = [*results[:3], odd, without_interval, *results[5:]]
    (row,) = sweep_rows(mixed)
    assert (row["points"], row["left_out"]) == (6, 2)
    assert row["fixed_seconds"] == pytest.approx(1e-6)
    assert row["cliffs"] is None
    table = sweep_table(mixed, 80)
    assert table.splitlines()[4].split()[3] == "!"
    assert "the lines leave 2 such times out" in table


@pytest.mark.parametrize("last", ["pytorch", "mxnet"])
def test_a_crossover_is_where_the_other_becomes_the_faster(
    swept: Callable[..., list[Result]], last: str
) -> None:
    """As the glossary says: the size from which one framework is the faster, between two sizes."""
    first = "mxnet" if last == "pytorch" else "pytorch"
    quick = swept(framework=first)
    slow = [
        swept(framework=last, seconds=5e-6 + length * MOVED / 2e10)[at]
        for at, length in enumerate(LENGTHS)
    ]
    unknown = swept(framework=last, status="noisy", seconds=1.0)[7]
    rows = sweep_rows([*quick, *slow[:7], unknown])
    assert [rows[0][name] for name in ("crossover_after", "faster_beyond")] == [None, None]
    assert rows[1]["crossover_after"] == 4 * MOVED
    assert rows[1]["crossover_by"] == 16 * MOVED
    assert rows[1]["faster_beyond"] == last
    table = sweep_table([*quick, *slow], 100)
    assert f"  Exp forward: 32.8 kB and 131 kB; {last} beyond, {first} below" in table


def test_one_that_is_the_faster_throughout_crosses_nothing(
    swept: Callable[..., list[Result]],
) -> None:
    """Nor do two that are not told apart."""
    for factor in (1.0, 2.0):
        other = [
            swept(framework="pytorch", seconds=factor * (result.seconds or 0))[at]
            for at, result in enumerate(swept())
        ]
        assert sweep_rows([*swept(), *other])[1]["crossover_by"] is None
        assert "crossovers" not in sweep_table([*swept(), *other], 100)


def test_sizes_without_a_time_are_no_points(swept: Callable[..., list[Result]]) -> None:
    """They are counted, and the reason is told once."""
    results = swept()
    noise = swept(status="noisy", seconds=-1e-6)
    assert sweep_rows([*results[:7], noise[7]])[0]["points"] == 7
    skipped = swept(status="skipped", seconds=None, reason="would take some 30 s")
    (row,) = sweep_rows([*results[:4], *skipped[4:]])
    assert row["points"] == 4
    assert row["largest"] == 64 * MOVED
    assert row["statuses"] == "4 ok, 4 skipped"
    table = sweep_table([*results[:4], *skipped[4:]], 80)
    assert table.count("Exp mxnet: skipped would take some 30 s") == 1


def test_too_few_sizes_have_no_line(swept: Callable[..., list[Result]]) -> None:
    """A dash is not a zero; no results are no table."""
    (row,) = sweep_rows(swept()[:3])
    assert (row["fixed_seconds"], row["rate"], row["half_rate"]) == (None, None, None)
    assert sweep_table(swept()[:3], 80).splitlines()[6].split()[3:] == ["-", "-", "-"]
    assert sweep_table([], 80) == "no results"


def test_a_cost_that_is_not_seen_is_bounded(swept: Callable[..., list[Result]]) -> None:
    """As of an operator whose smallest size takes long already."""
    slow = [swept(seconds=length * MOVED / 1e6)[at] for at, length in enumerate(LENGTHS)]
    assert "< 410" in sweep_table(slow, 80)


@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_name_cannot_harm_the_terminal(
    swept: Callable[..., list[Result]], hostile: str, ascii_only: bool
) -> None:
    """No control character of it comes through, and no line is wider than the terminal."""
    table = sweep_table(swept(hostile), 60, ascii_only=ascii_only)
    assert all(letter == "\n" or letter.isprintable() for letter in table)
    assert max(map(len, table.splitlines())) <= 60
    assert table.isascii() or not ascii_only

"""The sizes of a sweep: what is scaled, how far, and what cannot be."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise

import pytest

from opperf.core.errors import UsageError
from opperf.declaring.registry import find_operator, operators
from opperf.planning.plan import make_plan
from opperf.planning.selection import Selection
from opperf.planning.sweep import FEWEST, LARGEST_SET, LARGEST_WORK, make_ladder

GIB = 2**30


def test_the_work_grows_fourfold() -> None:
    """Bytes of what moves, FLOP of what computes: weights that stay as they are do not count."""
    for name, count in (("Add", "byte_count"), ("Dense", "flop_count"), ("Dot", "flop_count")):
        kind = find_operator(name)
        ladder = make_ladder(kind, "typical", {}, None)
        work = [getattr(kind(point), count)() for point in ladder.points]
        ratios = [after / before for before, after in pairwise(work)]
        assert ratios == pytest.approx([4] * len(ratios))
        assert len(ratios) >= FEWEST


def test_inputs_of_one_leading_length_grow_together() -> None:
    """Both operands of Add, the batch of a convolution alone, the shape of a creation."""
    grown = {"Add": {"lhs", "rhs"}, "Conv2D": {"data"}, "Zeros": {"shape"}, "Take": {"indices"}}
    for name, names in grown.items():
        points = make_ladder(find_operator(name), "typical", {}, None).points
        lengths = {shape[0] for key in names for shape in (points[0][key], points[-1][key])}
        assert set(points[0]) == names
        assert len(lengths) == 2
        assert points[0][min(names)][1:] == points[-1][min(names)][1:]


def test_a_dimension_that_stops_costing_anything_is_not_the_one_that_grows() -> None:
    """However long a table is, only the rows that are looked up are read: indices grow instead."""
    ladder = make_ladder(find_operator("Take"), "typical", {"data": (40, 8)}, None)
    assert set(ladder.points[0]) == {"data", "indices"}
    assert {point["data"] for point in ladder.points} == {(40, 8)}
    work = [find_operator("Take")(point).byte_count() for point in ladder.points]
    assert all(now < then for now, then in pairwise(work))


def test_what_is_given_holds_at_every_size() -> None:
    """An attribute and a dtype of the user's own are in every point."""
    given = {"dtype": "float64", "axis": 0}
    points = make_ladder(find_operator("Sum"), "small", given, None).points
    assert points
    assert all(given.items() <= point.items() for point in points)


def test_no_size_is_larger_than_large() -> None:
    """Neither bytes nor FLOP, and every point of every operator is one that it takes."""
    for kind in operators().values():
        ladder = make_ladder(kind, "typical", {}, None)
        for point in ladder.points:
            operator = kind(point)
            assert operator.byte_count() <= LARGEST_SET
            assert operator.flop_count() <= LARGEST_WORK
        assert ladder.note.startswith(kind.name())
        assert ("left out" in ladder.note) == (not ladder.points)


def test_memory_ends_the_sizes_and_the_line_says_so() -> None:
    """Of three quarters of the free memory, what a sweep may take is a third."""
    kind = find_operator("Add")
    limit = GIB // 2
    ladder = make_ladder(kind, "typical", {}, limit)
    assert len(ladder.points) < len(make_ladder(kind, "typical", {}, None).points)
    assert all(kind(point).memory_needed() <= limit // 3 for point in ladder.points)
    assert ladder.note == (
        "Add: 6 sizes, 12.3 kB to 12.6 MB; "
        "the next would take more than 179 MB, a third of the memory limit"
    )


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Cholesky", "no leading dimension scales it as a whole"),
        ("Concat", "2 sizes fit, a line needs 4"),
    ],
)
def test_what_cannot_be_scaled_is_left_out_with_a_reason(name: str, why: str) -> None:
    """A square matrix, and one that is large from the start."""
    ladder = make_ladder(find_operator(name), "typical", {}, None)
    assert ladder.points == ()
    assert ladder.note == f"{name} is left out: {why}"


def test_the_plan_of_a_sweep_has_every_size_on_every_framework() -> None:
    """In turns, from small to large; a line an operator says what it is taken through."""
    selection = Selection(text="name in (Exp, Inverse)", frameworks=("numpy",), sweep=True)
    notes: list[str] = []
    tasks = make_plan(selection, note=notes.append)
    lengths = [task.inputs["data"][0] for task in tasks]
    assert {task.operator for task in tasks} == {"Exp"}
    assert lengths == sorted(lengths)
    assert lengths[0] == 1
    assert [note.split()[0] for note in notes] == ["Exp:", "Inverse"]


def test_what_has_no_dimension_has_none_to_scale() -> None:
    """A tensor of one element stays one; where all are, nothing can be swept."""
    assert not make_ladder(find_operator("Exp"), "typical", {"data": ()}, None).points
    ladder = make_ladder(find_operator("Add"), "typical", {"rhs": ()}, None)
    assert {name for point in ladder.points for name in point if name != "rhs"} == {"lhs"}
    assert all(point["rhs"] == () for point in ladder.points)


def test_a_sweep_refuses_what_a_run_refuses() -> None:
    """A name that does not exist, and an input that the operator lacks."""
    wrong = Selection(text="name=Addd", frameworks=("numpy",), sweep=True)
    with pytest.raises(UsageError, match="did you mean 'Add'"):
        make_plan(wrong)
    selection = Selection(text="name=Add", frameworks=("numpy",), inputs={"weight": 3}, sweep=True)
    with pytest.raises(UsageError, match="weight"):
        make_plan(selection)
    assert asdict(selection)["sweep"] is True

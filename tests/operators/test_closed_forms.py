"""Counts in closed form: equal to what going through rows and windows counts."""

from __future__ import annotations

from itertools import product

import pytest

from opperf.declaring.counts import on_and_above_diagonal, on_and_below_diagonal
from opperf.operators.convolution.columns import overlap
from opperf.operators.linalg.diagonals import order_of


@pytest.mark.parametrize(("rows", "columns"), [*product(range(1, 7), repeat=2)])
def test_triangles_of_matrices_that_are_not_square(rows: int, columns: int) -> None:
    """On both sides of the diagonal, of wide and of tall matrices."""
    below = sum(min(row + 1, columns) for row in range(rows))
    above = sum(max(columns - row, 0) for row in range(rows))
    assert on_and_below_diagonal(rows, columns) == below
    assert on_and_above_diagonal(rows, columns) == above


def test_windows_over_the_border_are_counted_by_what_lies_inside() -> None:
    """Of any kernel, padding and stride, as many as a loop over all positions finds."""
    for size, kernel, padding, stride in product(range(1, 7), range(1, 6), range(5), range(1, 4)):
        begins = range(-padding, size + padding - kernel + 1, stride)
        inside = sum(0 <= at + step < size for at in begins for step in range(kernel))
        assert overlap(begins, kernel, size) == inside


def test_the_order_of_a_large_triangle_is_exact() -> None:
    """A float's square root is off by one there."""
    order = 2**31 - 2
    assert order_of(order * (order + 1) // 2) == order
    assert order_of(order * (order + 1) // 2 - 1) == order - 1

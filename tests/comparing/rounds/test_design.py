"""The order of rounds: Williams squares, there and back."""

from __future__ import annotations

from collections import Counter
from itertools import islice, pairwise
from random import Random

import pytest

from opperf.comparing.rounds.design import orders, williams

SIZES = range(2, 9)


@pytest.mark.parametrize("size", SIZES)
def test_each_arm_stands_once_at_each_place(size: int) -> None:
    """It is a Latin square."""
    square = williams(size)
    every = set(range(size))
    assert all(set(row) == every for row in square)
    assert all({row[at] for row in square} == every for at in range(size))


@pytest.mark.parametrize("size", SIZES)
def test_each_arm_follows_each_other_equally_often(size: int) -> None:
    """With the rows backwards, of an odd number of arms as well."""
    rows = [row for each in williams(size) for row in (each, each[::-1])]
    neighbors = Counter(pair for row in rows for pair in pairwise(row))
    assert len(neighbors) == size * (size - 1)
    assert set(neighbors.values()) == {2}


def test_two_arms_come_as_abba_and_baab() -> None:
    """As they do without a square."""
    made = islice(orders(["a", "b"], 1, Random(1)), 4)  # noqa: S311 - no secret
    assert {"".join([*row, *row[::-1]]) for row in made} == {"abba", "baab"}


def test_sessions_begin_with_other_rows_and_labels() -> None:
    """So that no arm is always where another one was."""
    first = {tuple(next(orders("abcd", number, Random(number)))) for number in range(40)}  # noqa: S311
    assert len(first) > 10
    assert {row[0] for row in first} == set("abcd")

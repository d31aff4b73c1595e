"""The order of several arms in turns: the rows of a Williams square, there and back.

Williams, *Experimental designs balanced for the estimation of residual effects of treatments*
(1949): a Latin square in which each arm stands once at each place and each pair of neighbors
occurs equally often, for what an arm leaves in the caches or in the clock falls on the next one.
A row is followed by itself backwards, so that what changes steadily falls on all arms alike; with
two arms that is ABBA and BAAB. An odd number of arms takes the rows backwards as well to be
balanced, and there they are.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random


def williams(size: int) -> list[list[int]]:
    """Return the rows of the square: the first is 0, 1, n - 1, 2, n - 2, ..."""
    first = [(at + 1) // 2 if at % 2 else (size - at // 2) % size for at in range(size)]
    return [[(place + step) % size for place in first] for step in range(size)]


def orders(names: Sequence[str], start: int, coin: Random) -> Iterator[list[str]]:
    """Yield the order of each round of a session, without end.

    Which arm is which of the square's is the coin's, with which row it begins the session's.

    Args:
        names: the arms.
        start: the number of the session.
        coin: that of the session.

    """
    square, labels = williams(len(names)), coin.sample([*names], len(names))
    for number in count(start):
        yield [labels[place] for place in square[number % len(square)]]

"""Blocks of several arms in turns: what one session makes of one operator.

A round takes a block of each arm in an order, then one of each backwards. The blocks of the
reference and of another arm in the same half of a round are a pair, as adjacent blocks of two arms
are. It knows no process: an arm is what returns a block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.comparing.pairs.blocks import Pairs, enough
from opperf.comparing.pairs.process import Failed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opperf.comparing.pairs.blocks import Block
    from opperf.core.frameworks.device import Clock

TWO = 2


def measure_rounds(
    arms: Mapping[str, Callable[[], Block]],
    reference: str,
    orders: Iterator[Sequence[str]],
    clock: Clock,
    note: Callable[[Failed], None],
) -> dict[str, Pairs]:
    """Return the pairs of each arm with the reference, as many as the session's figures need.

    The time for two arms is for two: more arms get as much more. One that fails is left out from
    then on, and the others go on; where the reference fails nothing is left.

    Args:
        arms: what takes a block of each.
        reference: the name of the one that the others are compared with.
        orders: the order of each round.
        clock: nanoseconds.
        note: is told of each failure.

    """
    pairs = {name: Pairs() for name in arms if name != reference}
    share, began = TWO / len(arms), clock()
    while not all(enough(each, share * (clock() - began) * 1e-9) for each in pairs.values()):
        order = next(orders)
        for half in (order, order[::-1]):
            blocks = {}
            for name in half:
                if name != reference and name not in pairs:
                    continue
                try:
                    blocks[name] = arms[name]()
                except Failed as failure:
                    note(failure)
                    if name == reference:
                        return {}
                    del pairs[name]
            for name, found in pairs.items():
                found.add(blocks[reference], blocks[name])
    return pairs

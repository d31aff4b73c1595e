"""Which results a verb shows, in which order, and in which columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, unknown
from opperf.core.results.status import STATUSES
from opperf.reporting.arrangement import COLUMNS, ORDERS

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from opperf.core.results.result import Result


def add_arrangement(parser: ArgumentParser) -> None:
    """Add the order of a table's rows, and its columns."""
    parser.add_argument(
        "--sort", choices=[*ORDERS], metavar="BY",
        help=f"order of the operators in a table, the largest first: {', '.join(ORDERS)}",
    )  # fmt: skip
    parser.add_argument(
        "--columns", metavar="A,B", help=f"these columns of a table alone: {', '.join(COLUMNS)}"
    )


def add_only(parser: ArgumentParser) -> None:
    """Add which results are meant, by how they ended."""
    parser.add_argument(
        "--only", metavar="A,B",
        help=f"results that ended so, unreliable for all doubtful times: {', '.join(STATUSES)}",
    )  # fmt: skip


UNRELIABLE = "unreliable"


def states_of(text: str | None) -> tuple[str, ...]:
    """Return the states that `--only` names, none where it is not given.

    Raises:
        UsageError: one is none.
    """
    names = tuple(part.strip().replace(" ", "_") for part in text.split(",")) if text else ()
    for name in names:
        if name not in (*STATUSES, UNRELIABLE):
            raise UsageError(unknown("state", name, (*STATUSES, UNRELIABLE), " in --only"))
    return names


def in_states(results: Sequence[Result], states: Sequence[str]) -> list[Result]:
    """Return the results that ended in one of the states, all where none is named."""
    if not states:
        return [*results]
    doubtful = UNRELIABLE in states
    return [
        result
        for result in results
        if result.status in states
        or (doubtful and result.seconds is not None and not result.reliable)
    ]


def refuse_arrangement(arguments: Namespace, what: str) -> None:
    """Refuse an order and columns where there are none of these."""
    for flag in ("sort", "columns"):
        if getattr(arguments, flag, None):
            raise UsageError(f"--{flag} applies to a table of operators' times, not to {what}")

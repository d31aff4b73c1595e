"""Flags of what compares: the smallest change of interest, and whose turn it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import UsageError
from opperf.core.units import share_of

if TYPE_CHECKING:
    from argparse import ArgumentParser

LARGEST_EFFECT = 1.0


def add_wait(parser: ArgumentParser) -> None:
    """Add what waits for the machine's lock."""
    parser.add_argument("--wait", action="store_true", help="wait for another comparison to end")


def add_effect(parser: ArgumentParser, default: float) -> None:
    """Add the smallest change of interest."""
    parser.add_argument(
        "--min-effect", default=f"{default:.0%}", metavar="SHARE",
        help=f"the smallest change of interest (default: {default:.0%}%)",
    )  # fmt: skip


def parse_share(text: str) -> float:
    """Return the share that "2%" or "0.02" stands for."""
    share = share_of(text)
    if share is None or not 0 < share <= LARGEST_EFFECT:
        raise UsageError(f"--min-effect {text!r}: must be above 0 and up to 100%, such as 2%")
    return share

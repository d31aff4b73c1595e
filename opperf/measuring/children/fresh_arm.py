"""The child of one arm in which nothing is timed: for metrics that a `FreshProbe` finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.measuring.children.arm import ArmServer
from opperf.measuring.children.timing import serve

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str]) -> None:
    """Do what the parent asks for, on a heap that begins empty and gives back what is freed."""
    serve(arguments, ArmServer(), timing=False)

"""What ATen's operators are to us, and what PyTorch says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.frameworks.calling import Calling, read_meanings
from opperf.pytorch_benchmarks.calling.schemas import ask

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.frameworks.calling import Overload


class Aten(Calling):
    """ATen's operators, asked of PyTorch in a process of its own."""

    def overloads(self, names: Sequence[str]) -> Mapping[str, Sequence[Overload]]:
        """Return what the PyTorch here says."""
        return ask(names)


def aten() -> Aten:
    """Return ATen's operators."""
    package = "opperf.pytorch_benchmarks.calling"
    return Aten(read_meanings(package, "aten."), package)

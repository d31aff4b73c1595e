"""PyTorch's own operators, ATen: what they are to us, and what PyTorch says of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.frameworks.calling import Calling

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.frameworks.calling import Overload


class PyTorchCalling(Calling):
    """ATen."""

    def overloads(self, names: Sequence[str]) -> Mapping[str, Sequence[Overload]]:
        """Return what PyTorch says, asked in a process of its own."""
        from opperf.pytorch_benchmarks.calling.schemas import ask

        return ask(names)

"""Operator-level microbenchmarks for MXNet and PyTorch, side by side.

Importing this imports no framework, no NumPy and no declaration; what stands in `LAZY` does, once
used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from opperf.core.version import VERSION

if TYPE_CHECKING:
    from opperf.api.comparison import compare
    from opperf.api.run import load
    from opperf.measuring.callables import measure_callable as measure

LAZY = {
    "compare": ("opperf.api.comparison", "compare"),
    "load": ("opperf.api.run", "load"),
    "measure": ("opperf.measuring.callables", "measure_callable"),
}
"""The public names by their modules."""

__version__ = VERSION
__all__ = ["__version__", "compare", "load", "measure"]


def __getattr__(name: str) -> Any:
    if name not in LAZY:
        raise AttributeError(f"module 'opperf' has no attribute {name!r}")
    module, function = LAZY[name]
    return getattr(import_module(module), function)


def __dir__() -> list[str]:
    return __all__

"""Operator-level microbenchmarks for MXNet and PyTorch, side by side.

Importing this imports no framework, no NumPy and no declaration; `measure` does, once used.
"""

from __future__ import annotations

from typing import Any

from opperf.core.version import VERSION

__version__ = VERSION
__all__ = ["__version__", "measure"]


def __getattr__(name: str) -> Any:
    if name == "measure":
        from opperf.measuring.callables import measure_callable

        return measure_callable
    raise AttributeError(f"module 'opperf' has no attribute {name!r}")

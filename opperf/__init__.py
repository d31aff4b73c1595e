"""Operator-level microbenchmarks for MXNet and PyTorch, side by side.

Importing this imports no framework, no NumPy and no declaration; what stands in `LAZY` does, once
used.
"""

from __future__ import annotations

from importlib import import_module

from opperf.core.version import VERSION

TYPE_CHECKING = False
"""As typing has it, whose import takes longer than all the rest of this."""
if TYPE_CHECKING:
    from typing import Any

    from opperf import mxnet_benchmarks, nd, pytorch_benchmarks
    from opperf.api.comparison import compare
    from opperf.api.history import history
    from opperf.api.measure import measure
    from opperf.api.run import load
    from opperf.api.store import store
    from opperf.api.timer import Timer as timer  # noqa: N813 - used as a function

LAZY = {
    "compare": "opperf.api.comparison:compare",
    "history": "opperf.history",
    "load": "opperf.api.run:load",
    "measure": "opperf.api.measure:measure",
    "mxnet_benchmarks": "opperf.mxnet_benchmarks",
    "nd": "opperf.nd",
    "pytorch_benchmarks": "opperf.pytorch_benchmarks",
    "store": "opperf.api.store:store",
    "timer": "opperf.api.timer:Timer",
}
"""The public names: a module each, or what it has under a name."""

__version__ = VERSION
__all__ = [
    "__version__",
    "compare",
    "history",
    "load",
    "measure",
    "mxnet_benchmarks",
    "nd",
    "pytorch_benchmarks",
    "store",
    "timer",
]


def __getattr__(name: str) -> Any:
    if name not in LAZY:
        raise AttributeError(f"module 'opperf' has no attribute {name!r}")
    module, _, attribute = LAZY[name].partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


def __dir__() -> list[str]:
    return __all__

"""An operator's time over many runs: points, change points, gaps.

`opperf.history(...)` asks a store for the histories of an operator: this package is called as the
function is that does it, since a package goes by the name of its folder.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class CallableRoom(ModuleType):
    """This package, which can be called."""

    def __call__(self, operator: str, **choice: Any) -> Any:
        """Return the histories of an operator; see `opperf.api.history.history`."""
        return import_module("opperf.api.history").history(operator, **choice)


sys.modules[__name__].__class__ = CallableRoom

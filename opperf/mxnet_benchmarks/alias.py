"""Importing MXNet beside a NumPy that has dropped the aliases it reads."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

SUPPORTED_NUMPY = 2


def import_mxnet() -> Any:
    """Return the module; refuse NumPy 2, which lacks some twenty names that MXNet 1.x uses."""
    if int(np.__version__.split(".")[0]) >= SUPPORTED_NUMPY:
        raise UsageError(
            f"mxnet needs numpy < 2, found numpy {np.__version__}; pip install 'numpy==1.26.4'"
        )
    with numpy_bool(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return import_module("mxnet")


@contextmanager
def numpy_bool() -> Iterator[None]:
    """Give NumPy back the alias `numpy.bool`, which MXNet reads while it is imported."""
    if "bool" in vars(np):
        yield
        return
    vars(np)["bool"] = bool
    try:
        yield
    finally:
        del vars(np)["bool"]

"""Aliases of PyTorch's functions are those that PyTorch itself knows."""

from __future__ import annotations

import warnings
from importlib import import_module

import pytest

from opperf.core.frameworks.registry import find_framework
from opperf.coverage import count
from opperf.coverage.public import read_known

OTHER = {"max": "maximum", "min": "minimum"}
"""What OpInfo calls aliases although torch.max also takes an axis, which torch.maximum does not."""


def test_aliases_are_those_of_opinfo() -> None:
    """What PyTorch's own tests know as one operator is one here."""
    framework = find_framework("pytorch")
    if not framework.is_installed():
        pytest.skip("pytorch is not installed")
    same = count.public(framework, read_known("pytorch")).same
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = import_module("torch.testing._internal.common_methods_invocations")
    pairs = {
        (f"torch.{entry.name}", f"torch.{alias.name.removeprefix('torch.')}")
        for entry in module.op_db
        for alias in entry.aliases
        if OTHER.get(entry.name) != alias.name
    }
    counted = [(one, two) for one, two in pairs if one in same and two in same]
    assert len(counted) > 50
    assert [(one, two) for one, two in counted if same[one] != same[two]] == []

"""The overload that a call names is found, also under a name that it had once."""

from __future__ import annotations

from typing import Any

import pytest

from opperf.calls.format.values import Call
from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.registry import find_framework
from opperf.pytorch_benchmarks.calling.overloads import find_overload


@pytest.fixture
def torch() -> Any:
    """Return PyTorch, or skip."""
    framework: Any = find_framework("pytorch")
    if not framework.is_installed():
        pytest.skip("pytorch is not installed")
    return framework.torch


def test_an_overload_is_found_by_its_name(torch: Any) -> None:
    """What the public logs call aten.sum.SymInt is aten.sum.dim_IntList today."""
    assert find_overload(torch, Call("aten.mm.default", ())) is torch.ops.aten.mm.default
    found = find_overload(torch, Call("aten.sum.SymInt", ()))
    assert found is torch.ops.aten.sum.dim_IntList


@pytest.mark.parametrize("name", ["aten.mm.no_such", "aten.no_such.default", "mm", "a.b.c"])
def test_what_this_version_lacks_is_unsupported(torch: Any, name: str) -> None:
    """In a line that names it."""
    with pytest.raises(UnsupportedError, match=name.replace(".", r"\.")) as raised:
        find_overload(torch, Call(name, ()))
    assert "\n" not in str(raised.value)

"""What is timed is the operator: no cast, copy or `arange` creeps into a timed callable."""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.registry import find_framework

if TYPE_CHECKING:
    from opperf.core.frameworks.framework import Framework


def load_script() -> Any:
    """Return the module that writes the rows down."""
    path = Path(__file__).with_name("timed.py")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


timed = load_script()
REMEDY = "is that a native call's work? python tests/contracts/timed.py --write, and say why"


def test_rows_run_what_is_written_down(measured: Framework) -> None:
    """What each framework records of a call is the row's list, and what the table names."""
    found, written = timed.observe(measured), timed.read(measured.name)
    seen = {name: {**row, "why": written.get(name, {}).get("why")} for name, row in found.items()}
    known = {name: {"why": None, **row} for name, row in written.items()}
    names = sorted({*seen, *known})
    different = [
        f"{name}: written {known.get(name)}, seen {seen.get(name)}"
        for name in names
        if known.get(name) != seen.get(name)
    ]
    assert different == [], REMEDY


@pytest.mark.parametrize("name", timed.MEASURED)
def test_what_copies_says_why(name: str) -> None:
    """A conversion, a copy, positions made anew and a wait each have a reason."""
    rows = timed.read(name)
    copying = {row for row in rows if timed.COPYING[name] & {*rows[row]["runs"]}}
    assert copying
    assert [row for row in sorted(copying) if not rows[row].get("why")] == []


def front(name: str) -> Any:
    """Return a framework, loaded, or skip where it is not installed."""
    framework = find_framework(name)
    if not framework.is_installed():
        pytest.skip(f"{name} is not installed")
    framework.load(1)
    return framework


def test_a_cast_a_copy_and_an_arange_are_seen_in_pytorch() -> None:
    """Views are not, nor is room for a tensor."""
    framework, torch = front("pytorch"), importlib.import_module("torch")
    data = torch.ones(2, 3)

    def seen(call: Any) -> list[str]:
        found = timed.recorded(framework, call)
        assert timed.is_told("pytorch", found) == (len(found) > 0)
        return found

    assert seen(data.long) == ["_to_copy"]
    assert seen(data.t().contiguous) == ["clone"]
    assert seen(lambda: torch.arange(3)) == ["arange"]
    assert seen(lambda: data.sum().item()) == ["sum", "_local_scalar_dense"]
    assert seen(lambda: data.t()[:1].view(-1)) == []
    assert seen(lambda: torch.empty(3)) == []


def test_a_cast_a_copy_and_an_arange_are_seen_in_mxnet() -> None:
    """Views are not."""
    framework, mxnet = front("mxnet"), importlib.import_module("mxnet")
    data = mxnet.nd.ones((2, 3))

    def seen(call: Any) -> list[str]:
        found = timed.recorded(framework, call)
        assert timed.is_told("mxnet", found) == (len(found) > 0)
        return found

    assert seen(lambda: data.astype("int32")) == ["CopyCPU2CPU"]
    assert seen(lambda: mxnet.nd.cast(data, "int32")) == ["Cast"]
    assert seen(data.copy) == ["CopyCPU2CPU"]
    assert seen(lambda: mxnet.nd.arange(3)) == ["_arange"]
    assert seen(lambda: data.reshape((3, 2))) == []


def test_one_operator_of_its_own_is_not_written_down() -> None:
    """Only what may hide something is: several operators, or a copy."""
    assert not timed.is_told("pytorch", ["add"])
    assert timed.is_told("pytorch", ["add", "add"])
    assert timed.is_told("pytorch", ["arange"])

"""Finding frameworks and their callables, without importing them before it is time."""

from __future__ import annotations

import math
import sys
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.errors import NotInstalledError, UnsupportedError, UsageError
from opperf.core.frameworks import framework as module
from opperf.core.frameworks.implementation import (
    BoundCall,
    Fusable,
    Implementation,
    built,
    native,
    resolve,
)
from opperf.core.frameworks.registry import (
    BUILT_IN,
    default_framework,
    find_framework,
    framework_names,
    require_installed,
)
from opperf.core.tensors.tensor import DTYPES, round_to
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.mark.parametrize(("older", "today"), module.OLDER.items())
def test_a_method_of_another_name_today_is_refused(older: str, today: str) -> None:
    """A plug-in's override would be ignored in silence; today's name is one that can be."""
    with pytest.raises(UsageError, match=f"^framework Engine: `{older}` is `{today}`$"):
        type("Engine", (module.Framework,), {older: lambda *_: None})
    assert type("Engine", (module.Framework,), {today: lambda *_: None})
    assert hasattr(module.Framework, today)


@pytest.fixture
def _nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide MXNet and PyTorch from the import system."""
    monkeypatch.setitem(sys.modules, "mxnet", None)
    monkeypatch.setitem(sys.modules, "torch", None)


class Probe(Declaration, abstract=True):
    """An operator that only this file knows."""

    category = "probe"
    sizes = MappingProxyType({"typical": MappingProxyType({})})
    differentiable = False

    def outputs(self) -> tuple[()]:
        """Return nothing."""
        return ()


@pytest.fixture
def front() -> Iterator[Any]:
    """Return PyTorch's front with its table put back afterwards."""
    pytorch = find_framework("pytorch")
    kept = pytorch.table
    yield pytorch
    pytorch.table = kept


def test_a_dotted_name_is_a_callable() -> None:
    """Functions, methods and what lies in submodules are found by their names."""
    assert resolve("math.sqrt") is math.sqrt
    assert resolve("fractions.Fraction.limit_denominator").__name__ == "limit_denominator"
    assert resolve("xml.dom.minidom.parseString").__name__ == "parseString"


def test_a_name_that_a_version_lacks_is_unsupported() -> None:
    """An older framework without an operator gives a row that says so, not a failure."""
    with pytest.raises(UnsupportedError, match=r"this version has no math\.cube"):
        resolve("math.cube")


def test_a_native_callable_gets_tensors_then_attributes() -> None:
    """Attributes arrive under the framework's names, with the constants that the table fixes."""
    implementation = native("builtins.dict", rename={"axis": "dim"}, keepdim=False)
    bound = implementation.bind(([("data", 1)],), {"axis": 2})
    assert bound.step() == {"data": 1, "dim": 2, "keepdim": False}
    assert bound.leaves is None


def test_a_builder_gets_its_callables_tensors_and_attributes() -> None:
    """Several callables come in the order of the name, once, before anything is timed."""

    def build(sqrt: Any, floor: Any, x: float, *, shift: int) -> Any:
        return lambda: floor(sqrt(x)) + shift

    implementation = built("math.sqrt + math.floor", build)
    assert implementation.bind((10.0,), {"shift": 100}).step() == 103


def test_a_builder_may_name_what_is_differentiated() -> None:
    """A step whose leaves are not its inputs comes with them."""
    leaves = (object(),)
    implementation = built("math.sqrt", lambda call, x: BoundCall(lambda: call(x), leaves))
    assert implementation.bind((4.0,), {}).leaves is leaves


def test_fused_and_unfused_are_told_apart(front: Any) -> None:
    """Fused is what one gets unless the parts are asked for."""
    fused, unfused = native("math.sqrt"), native("math.cos")
    front.extend({Probe: Fusable(fused=fused, unfused=unfused)})
    assert front.implementation(Probe, variant="only") is fused
    assert front.implementation(Probe, variant="fused") is fused
    assert front.implementation(Probe, variant="unfused") is unfused


def test_a_plug_in_extends_a_table(front: Any) -> None:
    """What a plug-in brings stands beside the framework's own, and unknown operators have none."""
    assert front.implementation(Probe, variant="only") is None
    before = dict(front.table)
    entry = Implementation("math.sqrt")
    front.extend({Probe: entry})
    assert front.implementation(Probe, variant="only") is entry
    assert {**before, Probe: entry} == front.table


def test_the_built_in_frameworks_are_found_by_name() -> None:
    """Each has its prefix, its extra and its name."""
    found = {name: find_framework(name) for name in BUILT_IN}
    assert {name: front.name for name, front in found.items()} == {name: name for name in BUILT_IN}
    assert [found[name].prefix for name in ("mxnet", "pytorch", "numpy")] == ["MX", "PT", "NP"]
    assert set(BUILT_IN) <= set(framework_names())


def test_an_unknown_framework_is_told_with_the_nearest() -> None:
    """The error lists what there is."""
    with pytest.raises(UsageError, match=r"'pytroch'; did you mean 'pytorch'\?.*mxnet, numpy"):
        find_framework("pytroch")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", BUILT_IN)
def test_a_tensor_s_element_type_has_opperf_s_name(name: str, dtype: str) -> None:
    """Each dtype is told from every other, bfloat16 from the float32 in which NumPy holds it."""
    framework = find_framework(name)
    if not framework.is_installed():
        pytest.skip(f"{name} is not installed")
    if (name, dtype) == ("numpy", "bfloat16"):
        pytest.skip("numpy has no bfloat16")
    framework.load(1)
    tensor = framework.tensor(round_to(np.ones(3), dtype), dtype, "cpu", differentiable=False)
    assert framework.dtype(tensor) == dtype


def test_a_framework_that_does_not_name_element_types_has_those_of_its_arrays() -> None:
    """A plug-in need not say what NumPy's dtype says already."""
    numpy = find_framework("numpy")
    tensor = np.ones(3, dtype="float16")
    assert module.Framework.dtype(numpy, tensor) == "float16"


@pytest.mark.usefixtures("_nothing_installed")
@pytest.mark.parametrize("name", ["mxnet", "pytorch"])
def test_a_missing_framework_names_its_extra(name: str) -> None:
    """The remedy is a command to copy."""
    with pytest.raises(NotInstalledError) as caught:
        require_installed(find_framework(name))
    assert f"pip install 'opperf[{name}]'" in str(caught.value)


@pytest.mark.usefixtures("_nothing_installed")
def test_numpy_is_never_chosen_silently() -> None:
    """With nothing to measure installed there is an error that names both extras."""
    with pytest.raises(NotInstalledError) as caught:
        default_framework({})
    assert "opperf[mxnet]" in str(caught.value)
    assert "opperf[pytorch]" in str(caught.value)


def test_numpy_is_chosen_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """OPPERF_FRAMEWORK decides, whatever is installed."""
    monkeypatch.setattr(module, "find_spec", lambda _: object())
    assert default_framework({"OPPERF_FRAMEWORK": "numpy"}).name == "numpy"
    assert default_framework({"OPPERF_FRAMEWORK": "pytorch"}).name == "pytorch"
    with pytest.raises(UsageError, match="unknown framework 'jaxx'"):
        default_framework({"OPPERF_FRAMEWORK": "jaxx"})


@pytest.mark.parametrize(
    ("installed", "chosen"),
    [({"mxnet", "torch"}, "mxnet"), ({"torch"}, "pytorch"), ({"mxnet"}, "mxnet")],
)
def test_the_first_installed_is_the_default(
    monkeypatch: pytest.MonkeyPatch, installed: set[str], chosen: str
) -> None:
    """MXNet before PyTorch, as the older package measured it."""
    monkeypatch.setattr(module, "find_spec", lambda name: object() if name in installed else None)
    assert default_framework({}).name == chosen
    assert default_framework({"OPPERF_FRAMEWORK": ""}).name == chosen

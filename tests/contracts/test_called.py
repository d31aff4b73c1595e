"""What a framework's own operators are to us is what its declarations are seen to call."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.calling import DECLARED, KINDS, MISSING, VIEW, read
from opperf.core.frameworks.registry import MEASURED, find_framework
from opperf.declaring.registry import operators

if TYPE_CHECKING:
    from opperf.core.frameworks.framework import Framework


def load_script() -> Any:
    """Return the module that writes the operators down."""
    path = Path(__file__).with_name("called.py")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


called = load_script()


def known(framework: str) -> dict[str, Any]:
    """Return what was written by hand of a framework's operators."""
    return read(f"opperf.{framework}_benchmarks.calling", "known.toml")


def test_what_is_written_down_is_what_is_called(measured: Framework) -> None:
    """Each declaration's one operator, in each direction."""
    found, written = called.observe(measured), called.read(measured.name)
    different = {
        name: (written.get(name), found.get(name))
        for name in {*found, *written}
        if written.get(name) != found.get(name)
    }
    assert different == {}, "written and seen differ: python tests/contracts/called.py --write"


@pytest.mark.parametrize("name", MEASURED)
def test_what_was_written_by_hand_adds_to_it(name: str) -> None:
    """It says more where it repeats, and names declarations and operators that there are."""
    by_hand, written = known(name), called.read(name)
    assert not written.keys() & {*by_hand["same"]}
    for operator, row in by_hand["declared"].items():
        for direction, listed in written.get(operator, {}).items():
            assert {*listed} < {*row[direction]}
    unknown = {*by_hand["same"].values()} - {*written, *by_hand["declared"]}
    assert unknown == set()
    names = {
        each
        for row in (*written.values(), *by_hand["declared"].values())
        for listed in row.values()
        for each in listed
    }
    assert names <= operators().keys()


@pytest.mark.parametrize("name", MEASURED)
def test_every_kind_of_operator_is_found(name: str) -> None:
    """And one that nobody knows is missing, whatever it is called."""
    calling = find_framework(name).calling
    assert {meaning.kind for meaning in calling.meanings.values()} <= {*KINDS}
    for odd in ("", ".", "aten.no_such.default", "x" * 1000):
        assert calling.meaning(odd).kind == MISSING


def test_operators_of_both_frameworks_lead_to_the_same_declaration() -> None:
    """Which is how one's calls are measured on the other."""
    aten, mxnet = (find_framework(name).calling for name in ("pytorch", "mxnet"))
    assert aten.meaning("aten.bmm.default").forward[0] == "BatchDot"
    assert mxnet.meaning("batch_dot").forward[0] == "BatchDot"
    product = aten.meaning("aten.sum.SymInt")
    assert (product.kind, product.same) == (DECLARED, "aten.sum.dim_IntList")
    assert "Sum" in product.forward
    assert "Conv2D" in mxnet.meaning("_backward_Convolution").backward
    assert aten.meaning("aten.t.default").kind == VIEW
    assert find_framework("numpy").calling.meaning("numpy.add").kind == MISSING


def test_views_are_those_of_pytorch() -> None:
    """None of them is missing; beside them are those that PyTorch itself does not call so."""
    framework: Any = find_framework("pytorch")
    if not framework.is_installed():
        pytest.skip("pytorch is not installed")
    torch = framework.torch
    of_pytorch = {name for name in view_names(torch) if not name.startswith("_test_")}
    listed = {*known("pytorch")["view"]["names"]}
    assert of_pytorch - listed == set()
    beside = {name for name in listed - of_pytorch if not name.endswith("_")}
    assert beside == {"_unsafe_view"}
    assert [name for name in listed if not hasattr(torch.ops.aten, name)] == []


def view_names(torch: Any) -> set[str]:
    """Return the operators of ATen that return views and are dispatched as they are."""
    found = set()
    for qualified in torch._C._dispatch_get_all_op_names():
        name, _, overload = qualified.removeprefix("aten::").partition(".")
        if not qualified.startswith("aten::") or not hasattr(torch.ops.aten, name):
            continue
        call = getattr(getattr(torch.ops.aten, name), overload or "default", None)
        composite = torch._C._dispatch_has_kernel_for_dispatch_key(
            qualified, "CompositeImplicitAutograd"
        )
        if call is not None and call.is_view and not composite:
            found.add(name)
    return found

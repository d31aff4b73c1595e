"""ONNX files: what they compute, and tensors in other files only where they belong to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.specs.loading.conftest import Loading

WEIGHT = np.arange(12, dtype="float32").reshape(4, 3)
INPUTS = {"data": [[1.0, 1.0, 1.0, 1.0], [0.0, 1.0, 0.0, 0.0]]}
WANTED = INPUTS["data"] @ WEIGHT


@pytest.fixture
def load(loading: Callable[[str], Loading]) -> Loading:
    """Return what loads models of ONNX Runtime."""
    return loading("onnxruntime")


def store(path: Path, location: str = "", *, constant: bool = False, domain: str = "") -> Path:
    """Store data @ WEIGHT, the weight as an initializer or a node's attribute, maybe elsewhere."""
    weight = numpy_helper.from_array(WEIGHT, "weight")
    if location:
        weight.ClearField("raw_data")
        weight.data_location = TensorProto.EXTERNAL
        entry = weight.external_data.add()
        entry.key, entry.value = "location", location
    nodes = [helper.make_node("MatMul", ["data", "weight"], ["out"], domain=domain)]
    if constant:
        nodes.insert(0, helper.make_node("Constant", [], ["weight"], value=weight))
    shapes = {"data": ["batch", 4], "out": ["batch", 3]}
    data, out = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in shapes.items()
    )
    graph = helper.make_graph(nodes, "net", [data], [out], [] if constant else [weight])
    opsets = [helper.make_opsetid("", 17), *([helper.make_opsetid(domain, 1)] if domain else [])]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)
    return path


@pytest.mark.parametrize("location", ["", "weights.bin"])
def test_a_model(load: Loading, tmp_path: Path, location: str) -> None:
    """Its weights in the file, or in one beside it."""
    (tmp_path / "weights.bin").write_bytes(WEIGHT.tobytes())
    found = load("onnx", inputs=INPUTS, model=store(tmp_path / "net.onnx", location))
    assert found["inputs"] == ["data"]
    assert found["names"] == ["out"]
    np.testing.assert_allclose(found["outputs"][0], WANTED, rtol=1e-6)


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize(
    "location", ["../outside.bin", "ABSOLUTE", "link.bin", "absent.bin", "in/../../outside.bin"]
)
def test_a_tensor_elsewhere_is_refused(
    load: Loading, tmp_path: Path, location: str, *, constant: bool
) -> None:
    """A model could read any file of the machine; trust is no matter of this."""
    outside = tmp_path / "outside.bin"
    outside.write_bytes(WEIGHT.tobytes())
    (tmp_path / "model" / "in").mkdir(parents=True)
    (tmp_path / "model" / "link.bin").symlink_to(outside)
    location = location.replace("ABSOLUTE", str(outside))
    model = store(tmp_path / "model" / "net.onnx", location, constant=constant)
    said = load.refusal("onnx", inputs=INPUTS, trust=True, model=model)
    assert "must be a file of its own folder" in said
    assert location in said


def test_damaged_files(load: Loading, tmp_path: Path) -> None:
    """Cut off, empty, of ONNX Runtime's own form, or with weights that are too short."""
    data = store(tmp_path / "net.onnx").read_bytes()
    cut = tmp_path / "cut.onnx"
    for part in (b"", data[:10], data[:60], data[:-1], b"\0\0\0\0ORTM" + data, b"PK\3\4" * 9):
        cut.write_bytes(part)
        assert "cut.onnx" in load.refusal("onnx", model=cut)
    (tmp_path / "weights.bin").write_bytes(b"short")
    said = load.refusal("onnx", model=store(tmp_path / "less.onnx", "weights.bin"))
    assert "cannot be loaded" in said


def test_other_operators_are_an_error(load: Loading, tmp_path: Path) -> None:
    """Libraries of operators are not loaded."""
    model = store(tmp_path / "net.onnx", domain="somebody.else")
    assert "cannot be loaded" in load.refusal("onnx", model=model)


def test_inputs_by_name(tmp_path: Path) -> None:
    """A specification may state them in any order; what is missing or unknown is named."""
    from opperf.core.errors import UsageError
    from opperf.core.frameworks.models import ModelFiles
    from opperf.onnxruntime_benchmarks import FRAMEWORK

    files: Any = {"model": store(tmp_path / "net.onnx")}
    model = FRAMEWORK.load_model(ModelFiles(name="net", format="onnx", files=files), "cpu")
    assert model.order(["data"]) == [0]
    with pytest.raises(UsageError, match="did you mean 'data'"):
        model.order(["dato"])
    with pytest.raises(UsageError, match="'data' is not given"):
        model.order([])
    with pytest.raises(UsageError, match="takes 1 inputs"):
        model.bind([])
    with pytest.raises(UsageError, match=r"unknown format 'onnxx' of onnxruntime"):
        FRAMEWORK.load_model(ModelFiles(name="net", format="onnxx", files=files), "cpu")

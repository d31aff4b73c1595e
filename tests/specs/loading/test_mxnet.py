"""Models of MXNet: symbols with parameters, Gluon blocks, and what is refused."""

from __future__ import annotations

import json
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.mxnet_benchmarks.alias import import_mxnet

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.specs.loading.conftest import Loading

mxnet = import_mxnet()
DATA = np.arange(8, dtype="float32").reshape(2, 4)
INPUTS = {"data": DATA.tolist()}


@pytest.fixture
def load(loading: Callable[[str], Loading]) -> Loading:
    """Return what loads models of MXNet."""
    return loading("mxnet")


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Path], Any]:
    """Return the files of a network, and what it computes."""
    folder = tmp_path_factory.mktemp("mxnet")
    block = mxnet.gluon.nn.HybridSequential()
    block.add(mxnet.gluon.nn.Dense(3), mxnet.gluon.nn.BatchNorm(), mxnet.gluon.nn.Dropout(0.5))
    block.initialize()
    block.hybridize()
    wanted = block(mxnet.nd.array(DATA)).asnumpy()
    block.export(str(folder / "net"))
    files = {"symbol": folder / "net-symbol.json", "params": folder / "net-0000.params"}
    return files, wanted


@pytest.mark.parametrize("options", [{}, {"inputs": ["data"]}])
def test_a_symbol_with_its_parameters(load: Loading, stored: Any, options: Any) -> None:
    """Moving statistics are used, and nothing is dropped: it is inference."""
    files, wanted = stored
    found = load("symbol", inputs=INPUTS, options=options, **files)
    assert found["inputs"] == ["data"]
    assert len(found["names"]) == 1
    np.testing.assert_allclose(found["outputs"][0], wanted, rtol=1e-5, atol=1e-6)


def test_labels_are_no_inputs(load: Loading, tmp_path: Path) -> None:
    """A symbol for Module ends in a loss, whose labels are zeros."""
    dense = mxnet.sym.FullyConnected(mxnet.sym.var("data"), num_hidden=3, name="fc")
    mxnet.sym.SoftmaxOutput(dense, name="softmax").save(str(tmp_path / "net.json"))
    weights = {"arg:fc_weight": mxnet.nd.ones((3, 4)), "arg:fc_bias": mxnet.nd.zeros(3)}
    mxnet.nd.save(str(tmp_path / "net.params"), weights)
    files = {"symbol": tmp_path / "net.json", "params": tmp_path / "net.params"}
    found = load("symbol", inputs=INPUTS, **files)
    assert found["inputs"] == ["data"]
    assert found["names"] == ["softmax_output"]
    np.testing.assert_allclose(found["outputs"][0], np.full((2, 3), 1 / 3), rtol=1e-5)


def test_parameters_of_another_network(load: Loading, stored: Any, tmp_path: Path) -> None:
    """The one that is missing is named, where it is said which are inputs."""
    files, _ = stored
    mxnet.nd.save(str(tmp_path / "net.params"), {"arg:other": mxnet.nd.ones(3)})
    others = {**files, "params": tmp_path / "net.params"}
    said = load.refusal("symbol", options={"inputs": ["data"]}, **others)
    assert "_weight' is in none of its files" in said
    assert "no input of the symbol" in load.refusal("symbol", options={"inputs": ["x"]}, **files)
    mxnet.nd.save(str(tmp_path / "net.params"), [mxnet.nd.ones(3)])
    assert "arrays without names" in load.refusal("symbol", **others)


def test_damaged_files(load: Loading, stored: Any, tmp_path: Path) -> None:
    """Cut off, empty, swapped, or a pickle: one line, and nothing of it runs."""
    files, _ = stored
    for role, path in files.items():
        cut = tmp_path / path.name
        data = path.read_bytes()
        for part in (b"", data[:20], data[:-10], pickle.dumps(Evil(tmp_path / "made"))):
            cut.write_bytes(part)
            assert "net-" in load.refusal("symbol", **{**files, role: cut})
    assert not (tmp_path / "made").exists()
    swapped = {"symbol": files["params"], "params": files["symbol"]}
    assert "cannot load it" in load.refusal("symbol", **swapped)


class Evil:
    """What makes a file as it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self) -> tuple[Any, ...]:
        """Have it open the file."""
        return open, (self.path, "w")


@pytest.mark.parametrize("name", ["_cvimread", "_npi_cvimread", "_Native", "Custom", "_NDArray"])
@pytest.mark.parametrize("nested", [False, True])
def test_operators_that_reach_out_are_refused(
    load: Loading, stored: Any, tmp_path: Path, name: str, *, nested: bool
) -> None:
    """They read a file, follow a pointer or call Python; of a loop's graph as well."""
    files, _ = stored
    document = json.loads(files["symbol"].read_text())
    node = {"op": name, "name": "evil", "inputs": [], "attrs": {"filename": "/etc/hostname"}}
    if nested:
        document["nodes"][-1]["subgraphs"] = [{"nodes": [node]}]
    else:
        document["nodes"].append(node)
    (tmp_path / "net.json").write_text(json.dumps(document))
    said = load.refusal("symbol", symbol=tmp_path / "net.json", params=files["params"])
    assert f"the operator {name}" in said


def test_a_factory(load: Loading, tmp_path: Path) -> None:
    """With keywords and parameters from a file; only if it is trusted."""
    block = mxnet.gluon.nn.Dense(3, in_units=4)
    block.initialize(mxnet.init.Normal(1.0))
    block.save_parameters(str(tmp_path / "net.params"))
    keywords = {"units": 3, "in_units": 4}
    options = {"factory": "mxnet.gluon.nn:Dense", "arguments": keywords}
    assert "--trust-model" in load.refusal("python", options=options)
    found = load(
        "python",
        inputs={"x": INPUTS["data"]},
        options=options,
        trust=True,
        weights=tmp_path / "net.params",
    )
    assert found["inputs"] == ["x"]
    wanted = block(mxnet.nd.array(DATA)).asnumpy()
    np.testing.assert_allclose(found["outputs"][0], wanted, rtol=1e-5)
    random = load("python", inputs={"x": INPUTS["data"]}, options=options, trust=True)
    assert np.shape(random["outputs"][0]) == (2, 3)
    options = {"factory": "builtins:dict"}
    assert "must be a Gluon block" in load.refusal("python", options=options, trust=True)

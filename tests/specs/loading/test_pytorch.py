"""Models of PyTorch: what they compute, and what is refused before it runs."""

from __future__ import annotations

import json
import pickle
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from opperf.pytorch_benchmarks.loading import exported_check
from opperf.pytorch_benchmarks.loading.exported_expression import is_harmless

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.specs.loading.conftest import Loading

pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")
INPUTS = {"data": np.arange(8, dtype="float32").reshape(2, 4).tolist(), "bias": [1.0, 2.0, 3.0]}


class Net(torch.nn.Module):
    """Two inputs, two outputs; dropout and batch normalization are other in training."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3), torch.nn.Dropout(0.5)
        )

    def forward(self, data: torch.Tensor, bias: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Compute both."""
        out = self.layers(data) + bias
        return out, torch.relu(out)


class Writes(torch.nn.Module):
    """Writes a file whose name is an attribute."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path

    def forward(self, data: torch.Tensor) -> torch.Tensor:
        """Write its input."""
        torch.ops.aten.save(data, self.path)
        return data


class Maps(Writes):
    """Makes a file and reads it."""

    def forward(self, data: torch.Tensor) -> torch.Tensor:
        """Add what is in the file."""
        return data + torch.from_file(self.path, True, 4)  # noqa: FBT003 - torch's own spelling


class Evil:
    """What makes a file as it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self) -> tuple[Any, ...]:
        """Have it open the file."""
        return open, (self.path, "w")


@pytest.fixture
def load(loading: Callable[[str], Loading]) -> Loading:
    """Return what loads models of PyTorch."""
    return loading("pytorch")


@pytest.fixture(scope="module")
def module() -> Net:
    """Return a network in inference mode."""
    torch.manual_seed(1)
    return Net().eval()


@pytest.fixture(scope="module")
def program(module: Net, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an exported program, of any batch, that takes its second input by name."""
    path = tmp_path_factory.mktemp("exported") / "net.pt2"
    batch = torch.export.Dim("batch", min=1, max=64)
    shapes = {"data": {0: batch}, "bias": None}
    made = torch.export.export(
        module, (torch.ones(3, 4),), {"bias": torch.ones(3)}, dynamic_shapes=shapes
    )
    torch.export.save(made, path)
    return path


def expect(found: dict[str, Any], module: torch.nn.Module) -> None:
    """Compare what a model computed with its module."""
    with torch.no_grad():
        wanted = module(*map(torch.tensor, INPUTS.values()))
    assert found["inputs"] == ["data", "bias"]
    assert found["differentiable"] == [False, False]
    for one, other in zip(found["outputs"], wanted, strict=True):
        np.testing.assert_allclose(one, other.numpy(), rtol=1e-5, atol=1e-6)


def test_torchscript(load: Loading, module: Net, tmp_path: Path) -> None:
    """Nothing is differentiated."""
    torch.jit.script(module).save(tmp_path / "net.pt")
    expect(load("torchscript", inputs=INPUTS, model=tmp_path / "net.pt"), module)


def test_a_script_that_trains_is_used_for_inference(load: Loading, tmp_path: Path) -> None:
    """It was stored in training mode."""
    trains = Net().train()
    torch.jit.script(trains).save(tmp_path / "net.pt")
    expect(load("torchscript", inputs=INPUTS, model=tmp_path / "net.pt"), trains.eval())


def test_an_exported_program(load: Loading, module: Net, program: Path) -> None:
    """Of another batch than it was exported with."""
    expect(load("torch.export", inputs=INPUTS, model=program), module)


def test_a_program_in_training_mode_is_refused(load: Loading, tmp_path: Path) -> None:
    """It would drop units and change its statistics."""
    made = torch.export.export(Net().train(), (torch.ones(3, 4), torch.ones(3)))
    torch.export.save(made, tmp_path / "net.pt2")
    assert "export model.eval()" in load.refusal("torch.export", model=tmp_path / "net.pt2")


def test_a_factory(load: Loading) -> None:
    """With keywords, of any module; only if it is trusted."""
    options = {"factory": "torch.nn:Linear", "arguments": {"in_features": 4, "out_features": 3}}
    inputs = {"input": INPUTS["data"]}
    found = load("python", inputs=inputs, options=options, trust=True)
    assert found["inputs"] == ["input"]
    assert np.shape(found["outputs"][0]) == (2, 3)
    assert found["differentiable"] == [False]


def test_a_factory_is_refused_without_trust(load: Loading, tmp_path: Path) -> None:
    """A specification could name os.system."""
    options = {"factory": "os:system", "arguments": {"command": f"touch {tmp_path}/made"}}
    assert "--trust-model" in load.refusal("python", options=options)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "options.factory is missing"),
        ({"factory": "torch.nn"}, "must be PKG.MODULE:FACTORY"),
        ({"factory": "torch.nn:Nothing"}, "cannot be imported"),
        ({"factory": "torch.nn:Linear"}, "raised TypeError"),
        ({"factory": "torch.nn:Linear", "arguments": []}, "must be dict"),
        ({"factory": "math:sqrt", "argument": {}}, "unknown option 'argument'"),
        ({"factory": "builtins:dict"}, "returned dict; must be a network"),
    ],
)
def test_factories_that_are_refused(load: Loading, options: Any, words: str) -> None:
    """In one line."""
    assert words in load.refusal("python", options=options, trust=True)


def test_weights_of_a_factory(load: Loading, tmp_path: Path) -> None:
    """Tensors alone are read, whether trusted or not."""
    module = torch.nn.Linear(4, 3)
    torch.save(module.state_dict(), tmp_path / "good.pt")
    torch.save({"weight": Evil(tmp_path / "made")}, tmp_path / "evil.pt")
    options = {"factory": "torch.nn:Linear", "arguments": {"in_features": 4, "out_features": 3}}
    inputs = {"input": INPUTS["data"]}
    found = load("python", inputs=inputs, options=options, trust=True, weights=tmp_path / "good.pt")
    wanted = module(torch.tensor(INPUTS["data"])).detach().numpy()
    np.testing.assert_allclose(found["outputs"][0], wanted, rtol=1e-5)
    said = load.refusal("python", options=options, trust=True, weights=tmp_path / "evil.pt")
    assert "weights evil.pt" in said
    assert not (tmp_path / "made").exists()


def test_a_pickled_module_needs_trust(load: Loading, tmp_path: Path) -> None:
    """By whichever format it is given; nothing of it is read before."""
    torch.save(Evil(tmp_path / "made"), tmp_path / "evil.pt")
    (tmp_path / "plain.pt").write_bytes(pickle.dumps(Evil(tmp_path / "made")))
    for name in ("evil.pt", "plain.pt"):
        for form in ("torch.save", "torchscript", "torch.export"):
            said = load.refusal(form, model=tmp_path / name)
            assert "--trust-model" in said or "is no archive that" in said
    assert not (tmp_path / "made").exists()
    torch.save(torch.nn.Linear(4, 3), tmp_path / "net.pt")
    inputs = {"input": INPUTS["data"]}
    assert "outputs" in load("torch.save", inputs=inputs, trust=True, model=tmp_path / "net.pt")
    load("torch.save", trust=True, model=tmp_path / "evil.pt")
    assert (tmp_path / "made").exists()  # the file is what it was taken for


@pytest.mark.parametrize("kind", [Writes, Maps])
def test_a_script_that_reaches_for_files_needs_trust(
    load: Loading, tmp_path: Path, kind: type[Writes]
) -> None:
    """Some of PyTorch's operators write and read them."""
    torch.jit.script(kind(str(tmp_path / "made"))).save(tmp_path / "net.pt")
    inputs = {"data": [1.0, 2.0, 3.0, 4.0]}
    assert "may write or read files" in load.refusal("torchscript", model=tmp_path / "net.pt")
    assert not (tmp_path / "made").exists()
    assert "outputs" in load("torchscript", inputs=inputs, trust=True, model=tmp_path / "net.pt")
    assert (tmp_path / "made").exists()


def test_a_script_cannot_hide_a_name(load: Loading, tmp_path: Path) -> None:
    """Attributes by names are allowed where they are written plainly, as of a list's layers."""
    torch.jit.script(Writes(str(tmp_path / "made"))).save(tmp_path / "net.pt")
    (tmp_path / "copy").mkdir()
    hidden = rewritten(
        tmp_path / "net.pt",
        tmp_path / "copy",
        ".py",
        b"torch.save(",
        b'getattr(torch, "s\\x61ve")(',
    )
    assert "getattr" in load.refusal("torchscript", model=hidden)


def rewritten(path: Path, folder: Path, end: str, old: bytes, new: bytes, added: str = "") -> Path:
    """Return a copy of an archive with other bytes in a member, and perhaps one more member."""
    copy = folder / path.name
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(copy, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name.endswith(end):
                assert old in data
                data = data.replace(old, new)
            target.writestr(name, data)
        if added:
            target.writestr(f"{source.namelist()[0].partition('/')[0]}/{added}", b"x")
    return copy


RELU = b"torch.ops.aten.relu.default"
IN_CODE = {
    "pickle": (b'"use_pickle": false', b'"use_pickle": true', "pickled tensors"),
    "name": (b'"as_tensor": {"name": "data"}', b'"as_tensor": {"name": "data=open()"}', "the name"),
    "argument": (b'names": ["data"', b'names": ["data=open()"', "the forward_arg_names"),
    "function": (RELU, b"torch.os.system", "the target"),
    "caller": (RELU, b"_operator.methodcaller", "the target"),
    "file": (RELU, b"torch.ops.aten.from_file.default", "the target"),
    "saving": (RELU, b"torch.ops.aten.save.default", "the target"),
    "expression": (b"Symbol('s", b"open('made') or Symbol('s", "the expr_str"),
    "keyword": (b'\\\\\\"bias', b'\\\\\\"bias=open()', "the context"),
}
"""What stands in an archive, what is put there instead, and what is then said."""


@pytest.mark.parametrize("what", IN_CODE)
def test_a_program_that_holds_code_needs_trust(
    load: Loading, program: Path, tmp_path: Path, what: str
) -> None:
    """Whatever torch.export.load unpickles, evaluates, calls or generates Python from."""
    old, new, words = IN_CODE[what]
    end = "model_weights_config.json" if what == "pickle" else "models/model.json"
    said = load.refusal("torch.export", model=rewritten(program, tmp_path, end, old, new))
    assert words in said
    assert "--trust-model" in said


@pytest.mark.parametrize(
    "name", ["data/weights/model.pt", "data/aotinductor/model/x.so", "data/constants/custom_obj_0"]
)
def test_a_program_with_other_members_needs_trust(
    load: Loading, program: Path, tmp_path: Path, name: str
) -> None:
    """Pickles and libraries."""
    changed = rewritten(program, tmp_path, "byteorder", b"", b"", added=name)
    assert name in load.refusal("torch.export", model=changed)


def test_example_inputs_are_no_pickles(program: Path, tmp_path: Path) -> None:
    """torch.export.load reads them in any way that succeeds; here by weights alone, or not."""
    buffer = BytesIO()
    torch.save(((Evil(tmp_path / "made"),), {}), buffer)
    with zipfile.ZipFile(program) as archive:
        names = [name.partition("/")[2] for name in archive.namelist()]
        document = json.loads(archive.read(f"{program.stem}/models/model.json"))
    documents = {"models/model.json": document}
    assert exported_check.faults(names, documents, b"") == []
    found = exported_check.faults(names, documents, buffer.getvalue())
    assert found == ["has example inputs that are pickled objects"]
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("Symbol('s1', positive=True, integer=True)", True),
        ("Mul(Integer(2), Symbol('s1', positive=True, integer=True))", True),
        ("2*s0 + Max(1, s1)//3 - Float('1.5', precision=53)", True),
        ("Eq(s0, 2) & (s1 > 3)", True),
        ("__import__('os').system('true')", False),
        ("open('made', 'w')", False),
        ("().__class__", False),
        ("Symbol.__init__", False),
        ("Max('open(1)', 1)", False),
        ("Symbol('a b')", False),
        ("[x for x in (1,)]", False),
        ("lambda: 1", False),
        ("(s0 := 1)", False),
        ("f'{s0}'", False),
        ("Symbol('s0')('x')", False),
        ("s0 if s1 else s2", False),
        ("", False),
        ("(" * 400, False),
    ],
)
def test_which_expressions_are_arithmetic(text: str, *, harmless: bool) -> None:
    """SymPy evaluates them as Python."""
    assert is_harmless(text) == harmless


@pytest.mark.parametrize("form", ["torchscript", "torch.export"])
@pytest.mark.parametrize("trust", [False, True])
def test_a_damaged_file_is_an_error(
    load: Loading, module: Net, program: Path, tmp_path: Path, form: str, *, trust: bool
) -> None:
    """Cut off anywhere, empty, or of another kind: one line, and no end of the process."""
    whole = program
    if form == "torchscript":
        whole = tmp_path / "net.pt"
        torch.jit.script(module).save(whole)
    data = whole.read_bytes()
    cut = tmp_path / f"cut{whole.suffix}"
    for part in (b"", data[:100], data[: len(data) // 2], data[:-30], b"PK" * 100):
        cut.write_bytes(part)
        load.refusal(form, trust=trust, model=cut)
    assert "there is no file" in load.refusal(form, model=tmp_path / "absent")
    assert "has no file 'model'" in load.refusal(form)
    assert "unknown option 'fast'" in load.refusal(form, options={"fast": 1}, model=whole)

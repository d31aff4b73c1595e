"""`opperf list --coverage`: numbers and names, and what it says where a framework is absent."""

from __future__ import annotations

import csv
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.registry import MEASURED, find_framework
from tests.conftest import told

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    Call = Callable[..., CompletedProcess[str]]

LIST = ("list", "--coverage")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


@pytest.fixture
def both() -> None:
    """Skip where a framework is absent."""
    for name in MEASURED:
        if not find_framework(name).is_installed():
            pytest.skip(f"{name} is not installed")


@pytest.mark.usefixtures("both")
def test_all_forms_give_the_same_numbers(call: Call) -> None:
    """The table counts what json names, and csv has a row a name."""
    records = json.loads(call(*LIST, "--format", "json").stdout)
    assert {record["framework"] for record in records} == set(MEASURED)
    assert all(set(e) == {"name", "reason"} for record in records for e in record["uncovered"])
    assert all(entry["reason"] for record in records for entry in record["uncovered"])
    lines = call(*LIST).stdout.splitlines()
    for record in records:
        covered, uncovered = len(record["covered"]), len(record["uncovered"])
        row = [record["framework"], record["registry"], covered + uncovered, covered, uncovered]
        assert [*map(str, row)] in [line.split() for line in lines]
    rows = [*csv.DictReader(call(*LIST, "--format", "csv").stdout.splitlines())]
    assert len(rows) == sum(len(one["covered"]) + len(one["uncovered"]) for one in records)


@pytest.mark.usefixtures("both")
def test_what_is_known_to_be_there_is_found(call: Call) -> None:
    """Operators that are declared, and that are not, stand where they belong."""
    records = json.loads(call(*LIST, "--format", "json").stdout)
    found = {one["registry"]: one for one in records}
    out = {name: {entry["name"] for entry in one["uncovered"]} for name, one in found.items()}
    assert "mxnet.nd.Convolution" in found["mxnet.nd"]["covered"]
    assert "mxnet.nd.broadcast_add" in found["mxnet.nd"]["covered"]  # by mxnet.nd.add
    assert "mxnet.nd.contrib.hawkesll" in out["mxnet.nd.contrib"]
    assert "torch.conv2d" in found["torch"]["covered"]  # by torch.nn.functional.conv2d
    assert "torch.det" not in {*found["torch"]["covered"], *out["torch"]}  # an alias counts once
    assert "torch.special.airy_ai" in out["torch.special"]
    assert "torch.Tensor.T" in out["OpInfo"]


def test_a_filter_is_refused(call: Call) -> None:
    """For it would choose among our operators, not the frameworks'."""
    run = call(*LIST, "-k", "name=Add")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "opperf: --coverage counts all operators; leave out -k\n"


def test_an_absent_framework_is_one_line(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one is counted all the same."""
    if not find_framework("pytorch").is_installed():
        pytest.skip("pytorch is not installed")
    monkeypatch.setattr(type(find_framework("mxnet")), "is_installed", lambda _: False)
    run = call(*LIST, "--format", "json")
    assert run.returncode == 0
    assert run.stderr == (
        "opperf: framework 'mxnet' is not installed here; "
        "install it with: pip install 'opperf[mxnet]'\n"
    )
    assert {record["framework"] for record in json.loads(run.stdout)} == {"pytorch"}


def test_a_framework_that_breaks_while_it_loads_is_one_line(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it raises, and the other one is counted all the same."""
    if not find_framework("pytorch").is_installed():
        pytest.skip("pytorch is not installed")

    def load(_: object, threads: int) -> None:
        raise RuntimeError(f"no library for {threads}")

    monkeypatch.setattr(type(find_framework("mxnet")), "is_installed", lambda _: True)
    monkeypatch.setattr(type(find_framework("mxnet")), "load", load)
    run = call(*LIST, "--format", "json")
    assert run.stderr == "opperf: framework 'mxnet' cannot be imported: no library for 1\n"
    assert {record["framework"] for record in json.loads(run.stdout)} == {"pytorch"}


def test_without_any_framework_there_is_nothing_to_count(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 12, as where nothing is selected."""
    for name in MEASURED:
        monkeypatch.setattr(type(find_framework(name)), "is_installed", lambda _: False)
    run = call(*LIST, "--format", "json")
    assert (run.returncode, json.loads(run.stdout)) == (12, [])
    assert len(told(run.stderr)) == len(MEASURED)


def test_without_what_opinfo_needs_the_rest_is_counted(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line says what is missing; PyTorch's tests need a package that users seldom have."""
    if not find_framework("pytorch").is_installed():
        pytest.skip("pytorch is not installed")
    for name in [name for name in sys.modules if name.startswith("torch.testing._internal.common")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "expecttest", None)
    run = call(*LIST, "--format", "json")
    assert "opperf: OpInfo is left out, for it cannot be imported: " in run.stderr
    registries = {record["registry"] for record in json.loads(run.stdout)}
    assert "torch" in registries
    assert "OpInfo" not in registries


def test_a_list_without_it_imports_no_framework(opperf: Any, tmp_path: Path) -> None:
    """Nor the room that asks them."""
    code = (
        "import sys; from opperf.cli import main; main(['list', '--format', 'json']); "
        "print(sorted({'mxnet', 'torch', 'opperf.coverage'} & set(sys.modules)), file=sys.stderr)"
    )
    assert opperf.execute([sys.executable, "-c", code]).stderr == "[]\n"
    assert [*tmp_path.iterdir()] == []

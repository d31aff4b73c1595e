"""Which networks there are, without a framework."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from opperf.core.errors import UsageError
from opperf.networks.discovery import FRAMEWORKS, entries_of, find_entries, modules_of
from opperf.networks.registry import find_entry, make_model

if TYPE_CHECKING:
    from pathlib import Path

MODEL = """
from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements


@implements("{name}", title="Mine", parameters={parameters})
class Mine(Model):
    pass
"""


def folder(path: Path, **files: str) -> Path:
    """Return a folder with files of PyTorch's networks."""
    (path / "pytorch").mkdir()
    for name, text in files.items():
        (path / "pytorch" / f"{name}.py").write_text(text)
    return path


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_our_networks_are_listed(framework: str) -> None:
    """By name, with what is known of them, and the module that has each."""
    found = find_entries(framework)
    assert [*found] == sorted(found)
    assert {"resnet18", "resnet50", "deep_mnist", "lstm"} <= found.keys()
    assert found["deep_mnist"].title == "DeepMNIST"
    assert found["deep_mnist"].module == f"opperf.networks.{framework}.deep_mnist"
    for entry in found.values():
        text = entry.path.read_text(encoding="utf-8")
        assert "http" in text.split('"""')[1] or "Radford" in text.split('"""')[1]


def test_a_file_of_a_folder_is_one_more(tmp_path: Path) -> None:
    """Beside ours, of its framework alone."""
    there = folder(tmp_path, mine=MODEL.format(name="mine", parameters="12_000"))
    assert find_entry("mine", "pytorch", [there]).parameters == 12_000
    assert "mine" not in find_entries("mxnet", [there])


def test_a_name_that_stands_twice_is_an_error(tmp_path: Path) -> None:
    """It names both files."""
    there = folder(tmp_path, other=MODEL.format(name="resnet18", parameters=None))
    with pytest.raises(UsageError, match="'resnet18' of pytorch is implemented twice") as error:
        find_entries("pytorch", [there])
    assert "networks/pytorch/resnet.py" in str(error.value)
    assert str(there / "pytorch" / "other.py") in str(error.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MODEL.format(name="mine", parameters="5 * 10**6"), r"line 6: must be @implements\(\"ID\""),
        (MODEL.replace("title=", "name=").format(name="mine", parameters=1), "line 6: must be"),
        ("def (", "mine.py cannot be read: SyntaxError"),
        ("\0", "mine.py cannot be read: "),
    ],
)
def test_a_wrong_file_is_one_line(tmp_path: Path, text: str, words: str) -> None:
    """It names the file."""
    there = folder(tmp_path, mine=text)
    with pytest.raises(UsageError, match=words) as error:
        find_entries("pytorch", [there])
    assert "\n" not in str(error.value)


def test_an_unknown_name_has_its_nearest() -> None:
    """Of that framework."""
    with pytest.raises(UsageError, match="unknown model of mxnet 'resnet81'; did you mean 'resnet"):
        find_entry("resnet81", "mxnet")


def test_the_modules_of_a_package_are_found_without_importing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an entry point names them: a package, a module within one, a module alone."""
    package = tmp_path / "theirs" / "models"
    package.mkdir(parents=True)
    (tmp_path / "theirs" / "__init__.py").write_text("raise RuntimeError")
    (package / "net.py").write_text(MODEL.format(name="net", parameters=1))
    (tmp_path / "alone.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    found = [(package / "net.py", "theirs.models.net")]
    assert [*modules_of("theirs.models")] == found
    assert [*modules_of("theirs.models.net")] == found
    assert [*modules_of("alone")] == [(tmp_path / "alone.py", "alone")]
    assert [entry.name for entry in entries_of(*found[0][:1], "pytorch", found[0][1])] == ["net"]
    assert "theirs" not in sys.modules
    with pytest.raises(UsageError, match=r"names 'theirs\.nothing', which is no module"):
        [*modules_of("theirs.nothing")]


@pytest.mark.parametrize(
    ("body", "words"),
    [("1 / 0", "cannot be imported: ZeroDivisionError"), ("del Mine", "does not define it once")],
)
def test_a_file_that_cannot_be_imported_is_one_line(tmp_path: Path, body: str, words: str) -> None:
    """When its network is made, not before."""
    pytest.importorskip("torch")
    name = f"mine_{body[0]}"
    there = folder(tmp_path, **{name: f"{MODEL.format(name='mine', parameters=None)}\n{body}\n"})
    entry = find_entry("mine", "pytorch", [there])
    with pytest.raises(UsageError, match=words):
        make_model(entry)


def test_a_network_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    """With the size that was asked for."""
    pytest.importorskip("torch")
    text = MODEL.format(name="mine", parameters=None).replace("pass", "__init__ = int")
    entry = find_entry("mine", "pytorch", [folder(tmp_path, unmade=text)])
    with pytest.raises(UsageError, match="'mine' of size 5 cannot be made: TypeError"):
        make_model(entry, 5)

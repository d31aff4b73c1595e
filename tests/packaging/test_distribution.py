"""The wheel and the source distribution: what is in them, and that they work by themselves."""

from __future__ import annotations

import re
import shutil
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.packaging.conftest import ROOT, succeed, wheel_of

if TYPE_CHECKING:
    from pytest import TempPathFactory  # noqa: PT013 - a type

EXTRAS = "mxnet,pytorch,store,parquet,plot,remote,images,lmdb,yaml"
"""Those whose packages the tests' own environment has."""


def names_in(wheel: Path) -> set[str]:
    """Return the files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_an_index_would_take_both(built: Path) -> None:
    """As twine says, without a warning."""
    said = succeed([sys.executable, "-m", "twine", "check", "--strict", *built.iterdir()], built)
    assert said.count("PASSED") == 2


def test_the_wheel_states_what_it_is(built: Path) -> None:
    """Its readme, licenses, keywords and classifiers; and it has all licenses' texts."""
    with zipfile.ZipFile(wheel_of(built)) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        stated = message_from_bytes(archive.read(name))
    assert str(stated.get_payload()).startswith("# opperf")
    assert stated["License-Expression"] == "Apache-2.0 AND BSD-3-Clause AND 0BSD"
    assert {"Summary", "Keywords", "Classifier", "Author", "Requires-Python"} <= set(stated.keys())
    licenses = stated.get_all("License-File", [])
    assert {"LICENSE", "NOTICE"} <= set(licenses)
    assert {f"{Path(name).parent}/licenses/{path}" for path in licenses} <= names_in(
        wheel_of(built)
    )


def test_the_wheel_has_what_is_used_and_nothing_else(built: Path) -> None:
    """Every file of opperf/ that git has, the driver, the man page; no tests, no caches."""
    names = names_in(wheel_of(built))
    ours = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "opperf").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert {name for name in names if ".dist-info/" not in name and ".data/" not in name} == {
        *ours,
        "benchmark_driver.py",
    }
    assert any(name.endswith(".data/data/share/man/man1/opperf.1") for name in names)


def test_the_source_distribution_makes_the_same_wheel(built: Path, tmp_path: Path) -> None:
    """Whoever builds it gets what we have built."""
    (source,) = built.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "dist"]
    succeed(command, folder)
    assert names_in(wheel_of(tmp_path / "dist")) == names_in(wheel_of(built))


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: TempPathFactory) -> Path:
    """Return the programs of an environment that has the wheel, with extras.

    What it requires lies in the tests' own environment, which stands behind it on its path: no
    index is asked, and a requirement that nothing satisfies is an error of pip.
    """
    folder = tmp_path_factory.mktemp("environment")
    succeed([sys.executable, "-m", "venv", "--without-pip", folder], folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (theirs,) = (path for path in sys.path if path.endswith("site-packages"))
    (packages / "behind.pth").write_text(f"{theirs}\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", folder / "bin/python"]
    command = [*pip, "install", "--no-index", "--no-cache-dir"]
    said = succeed([*command, f"{wheel_of(built)}[{EXTRAS}]"], folder)
    assert "does not provide the extra" not in said
    return folder / "bin"


@pytest.mark.parametrize("framework", ["numpy", "mxnet", "pytorch"])
def test_the_wheel_measures(installed: Path, tmp_path: Path, framework: str) -> None:
    """An operator, by the installed command, and not by the checkout."""
    where = "import opperf; print(opperf.__file__)"
    assert str(installed.parent) in succeed([installed / "python", "-c", where], tmp_path)
    command = ["run", "Add", "--size", "small", "--quick", "--framework", framework]
    said = succeed([installed / "opperf", *command], tmp_path)
    assert re.search(r"^Add +\(64,64\)", said, re.MULTILINE), said
    assert (tmp_path / "runs").is_dir()


def test_the_manual_is_found_and_sound(installed: Path) -> None:
    """By man, where it looks; groff has nothing to say of it."""
    if shutil.which("man") is None or shutil.which("groff") is None:
        pytest.skip("man or groff is not installed here")
    pages = installed.parent / "share/man"
    shown = succeed(["man", "-M", pages, "opperf"], pages)
    assert re.sub(r".\x08", "", shown).startswith("OPPERF(1)")
    checked = succeed(["groff", "-man", "-ww", "-z", "-Tutf8", pages / "man1/opperf.1"], pages)
    assert not checked

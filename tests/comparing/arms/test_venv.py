"""Virtual environments: made once, under a lock, never used half-built."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from opperf.cli import main
from opperf.comparing.arms import installer, venv
from opperf.comparing.arms.arm import ArmSpec, refuse_too_old
from opperf.comparing.arms.venv import (
    MARK,
    cache_folder,
    hold_lock,
    key_of,
    load,
    provide,
    remove,
    tree_hash,
    venvs,
)
from opperf.core.errors import UsageError

ROOT = Path(__file__).parents[3]
PYPROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "tiny"
version = "1.0"
"""
BACKEND = """\
import zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    name = "tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.write("tiny.py")
        about = "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n"
        wheel.writestr("tiny-1.0.dist-info/METADATA", about)
        wheel.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\n")
        wheel.writestr("tiny-1.0.dist-info/RECORD", "")
    return name
"""


def quiet(_line: str) -> None:
    """Say nothing."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return the source of a package that needs nothing from anywhere."""
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(PYPROJECT)
    (folder / "backend.py").write_text(BACKEND)
    (folder / "tiny.py").write_text("VALUE = 1\n")
    return folder


@pytest.fixture
def arm(tree: Path, monkeypatch: pytest.MonkeyPatch) -> ArmSpec:
    """Return an arm that needs the package alone."""
    monkeypatch.setattr(venv, "companions", lambda _requirements: [])
    return ArmSpec(text="tree", requirements=(str(tree),))


def test_an_arm_without_requirements_needs_none(tmp_path: Path) -> None:
    """The interpreter is the one it names."""
    assert provide(ArmSpec(text="."), tmp_path, quiet) == sys.executable
    assert not any(tmp_path.iterdir())


def test_one_is_made_once_for_the_same_content(arm: ArmSpec, tree: Path, tmp_path: Path) -> None:
    """And anew where the content has changed; both are listed and can be removed."""
    folder, said = tmp_path / "cache", list[str]()
    first = provide(arm, folder, said.append)
    assert provide(arm, folder, said.append) == first
    assert len(said) == 1
    (tree / "tiny.py").write_text("VALUE = 2\n")
    second = provide(arm, folder, said.append)
    assert second != first
    assert len(said) == 2
    found = venvs(folder)
    assert {one.python for one in found} == {first, second}
    assert all("tiny" in package for one in found for package in one.packages)
    assert remove(folder, [one.key for one in found]) == [one.key for one in found]
    assert venvs(folder) == []


def test_what_was_interrupted_is_made_anew(arm: ArmSpec, tmp_path: Path) -> None:
    """Without its mark nothing is taken for complete."""
    python = provide(arm, tmp_path, quiet)
    (made,) = venvs(tmp_path)
    (tmp_path / made.key / MARK).unlink()
    assert load(tmp_path / made.key) is None
    said: list[str] = []
    assert provide(arm, tmp_path, said.append) == python
    assert len(said) == 1


def test_a_failed_installation_leaves_nothing(arm: ArmSpec, tree: Path, tmp_path: Path) -> None:
    """The error is one line with the installer's last words."""
    (tree / "backend.py").write_text("raise RuntimeError('cannot be built here')\n")
    with pytest.raises(UsageError, match="cannot be built here") as caught:
        provide(arm, tmp_path / "cache", quiet)
    assert "\n" not in str(caught.value)
    assert "arm 'tree'" in str(caught.value)
    assert [path for path in (tmp_path / "cache").iterdir() if path.is_dir()] == []


def test_two_at_once_make_it_once(arm: ArmSpec, tmp_path: Path) -> None:
    """The second waits for the first and takes what it has made."""
    said: list[str] = []
    pythons: list[str] = []
    threads = [
        threading.Thread(target=lambda: pythons.append(provide(arm, tmp_path, said.append)))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(pythons)) == 1
    assert sum(line.startswith("installing") for line in said) == 1


def test_a_folder_that_cannot_be_written_is_named(arm: ArmSpec, tmp_path: Path) -> None:
    """With what to do about it."""
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="set XDG_CACHE_HOME to another folder"):
        provide(arm, tmp_path / "file" / "below", quiet)


def test_removing_what_is_not_there_is_refused(tmp_path: Path) -> None:
    """A key is never taken for a path."""
    with pytest.raises(UsageError, match="unknown virtual environment"):
        remove(tmp_path, ["../../etc"])


def test_a_tree_is_told_by_its_contents_and_names(tree: Path) -> None:
    """What is no source does not count."""
    before = tree_hash(tree)
    (tree / "__pycache__").mkdir()
    (tree / "__pycache__" / "tiny.pyc").touch()
    assert tree_hash(tree) == before
    (tree / "tiny.py").rename(tree / "tinier.py")
    assert tree_hash(tree) != before


def test_modules_of_the_folder_one_is_in_are_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every interpreter that helps to make an environment leaves them alone."""
    folder = tmp_path / "here"
    folder.mkdir()
    for name in ("platform", "venv", "pip", "site", "subprocess", "runpy", "importlib"):
        folder.joinpath(f"{name}.py").write_text(
            f"import pathlib; pathlib.Path({str(folder / 'ran')!r}).touch(); raise SystemExit(9)\n"
        )
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", "")
    monkeypatch.setattr(installer.shutil, "which", lambda _name: None)
    refuse_too_old(sys.executable)
    key_of(sys.executable, [])
    installer.make(sys.executable, tmp_path / "made")
    assert (tmp_path / "made" / "bin" / "python").exists()
    assert not (folder / "ran").exists()


KILLED = """
import sys
from pathlib import Path
from opperf.comparing.arms.installer import run
from opperf.comparing.arms.venv import hold_lock

with hold_lock(Path(sys.argv[1]), lambda: None):
    run([sys.executable, "-c", sys.argv[2]])
"""
INSTALLING = """
import os, subprocess, sys, time
held = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
open({path!r}, "w").write(f"{{os.getpid()}} {{held.pid}}")
time.sleep(1000)
"""


def test_an_installer_ends_with_whoever_has_started_it(tmp_path: Path) -> None:
    """However that ends, and with all that it has started; until then it holds the lock."""
    said, lock = tmp_path / "said", tmp_path / "key.lock"
    command = [sys.executable, "-c", KILLED, str(lock), INSTALLING.format(path=str(said))]
    process = subprocess.Popen(command, cwd=ROOT)
    deadline = time.monotonic() + 60
    while not (said.exists() and len(said.read_text().split()) == 2):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    installing = [psutil.Process(int(pid)) for pid in said.read_text().split()]
    process.kill()
    process.wait()
    with hold_lock(lock, lambda: None):  # waits for the installer
        psutil.wait_procs(installing, timeout=60)
    assert not [one for one in installing if one.is_running() and one.status() != "zombie"]


def test_what_is_half_built_is_listed_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A comparison that was killed may have left it; it takes as much room as a whole one."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    half = cache_folder() / "0123456789abcdef"
    half.mkdir(parents=True)
    assert main(["venv", "list"]) == 0
    assert "incomplete" in capsys.readouterr().out
    assert main(["venv", "rm", "--all"]) == 0
    assert not half.exists()


def test_no_environments_are_said_to_be_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty list is no silence, and nobody is told to give the flag that he gave."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main(["venv", "list"]) == 0
    assert "no environments in" in capsys.readouterr().err
    assert main(["venv", "rm", "--all"]) == 0
    assert capsys.readouterr().err == "opperf: nothing to remove\n"

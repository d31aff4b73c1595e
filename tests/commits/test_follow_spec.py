"""Specifications that are followed, with the options of harness.py that are passed on."""

from __future__ import annotations

import json
import shutil
from ctypes import CDLL
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli import main
from opperf.commits.following.journal import NAME
from opperf.specs.platforms.host import CPU
from tests.conftest import told

if TYPE_CHECKING:
    from tests.commits.conftest import Source

MODULE = """\
import ctypes
from opperf.core.frameworks.models import LoadedModel
from opperf.numpy_benchmarks import NumPy

class Own(NumPy):
    name = "own"
    model_formats = {{"sums": "tiny:load"}}

FRAMEWORK = Own()

def load(framework, model, device):
    rounds = {rounds} if model.option("backend", str, "") == "looping" else 1
    ctypes.CDLL("libopperf-own.so")

    def make_step(tensors):
        def step():
            for _ in range(rounds):
                found = tensors[0] + tensors[0]
            return found
        return step

    return LoadedModel(inputs=("data",), make_step=make_step)

def twice(data):
    return data + data
"""
SPECIFICATION = {
    "model": {"name": "sums", "format": "sums"},
    "tests": [{
        "identifier": "{name}-{ID}", "metric": "delay",
        "inputs": {"data": {"shapes": [[1024]], "type": "float"}},
    }],
}  # fmt: skip


@pytest.fixture
def words(source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the command that follows a specification in a repository with a framework."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    backend = source.path / "backend.py"
    old, new = "tiny = tiny_operators\\n", "\\n[opperf.frameworks]\\nown = tiny:FRAMEWORK\\n"
    backend.write_text(backend.read_text().replace(old, f"{old}{new}"))
    source.commit(MODULE.format(rounds=1))
    source.commit(MODULE.format(rounds=40))
    path = tmp_path / "sums.json"
    path.write_text(json.dumps(SPECIFICATION))
    own = ["--exec_dir", str(tmp_path / "an exec"), "--framework", "own", "--quiet"]
    few = ["--sessions", "1", "--most-sessions", "1"]
    return ["follow", str(source.path), "--benchmark_file", str(path), *own, *few]


def a_library() -> Path:
    """Return a shared library of this machine that needs nothing of its caller."""
    CDLL("libm.so.6")
    lines = Path("/proc/self/maps").read_text().splitlines()
    return next(Path(line.split()[-1]) for line in lines if line.endswith("/libm.so.6"))


def test_what_harness_py_is_told_reaches_the_models(words: list[str], tmp_path: Path) -> None:
    """The loader gets its backend, the processes of both arms find the shared libraries.

    Builds may lie in a folder whose name has a space.
    """
    folder = tmp_path / "libraries"
    folder.mkdir()
    library = Path(shutil.copy(a_library(), folder / "libopperf-own.so"))
    (device,) = CPU.devices()
    given = ["--devices", device.hash, "--backend", "looping", "--shared_libs", str(library)]
    assert main([*words, *given]) == 0
    (row,) = outcome_of(tmp_path)["rows"]
    assert (row["operator"], row["framework"], row["verdict"]) == ("sums", "own", "undecided")
    assert row["ratio"] > 4
    (path,) = tmp_path.glob("an exec/follow/*/runs/*/*/run.json")
    run = json.loads(path.read_text())
    (test,) = run["specs"]
    assert (test["device"], test["meta"]["device_hash"]) == ("cpu", device.hash)
    assert test["model"]["options"] == {"backend": "looping"}
    for arm in run["arms"].values():
        assert arm["variables"]["LD_LIBRARY_PATH"].split(":")[0] == str(folder)


def outcome_of(place: Path) -> Any:
    """Return what came of the newest commit."""
    (path,) = place.glob(f"an exec/follow/*/{NAME}")
    events = [json.loads(line) for line in path.read_text().splitlines()]
    return next(each["outcome"] for each in reversed(events) if each["kind"] == "outcome")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--program", "caffe2"], "--program: each commit is run by the Python of its own build"),
        (["--android_dir", "/data"], "--android_dir: a comparison runs frameworks on this machine"),
        (["--devices", "cuda:0"], "--devices 'cuda:0': platform 'cpu' has no such device; "),
        (["--excluded_devices", "cpu"], "platform 'cpu': all of them are excluded"),
        (["--shared_libs", "none.so"], "--shared_libs none.so: no such file"),
        (["--platforms", "adb"], "--platforms adb: a comparison runs frameworks on this machine"),
    ],
)
def test_what_a_comparison_cannot_have_is_refused(
    words: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    given: list[str],
    said: str,
) -> None:
    """In one line with the reason, before anything is built."""
    assert main([*words, *given]) == 2
    (line,) = told(capsys.readouterr().err)
    assert said in line
    assert not [*tmp_path.glob("an exec/builds/*")]


@pytest.mark.parametrize("flag", ["--devices", "--backend", "--shared_libs"])
def test_what_is_of_models_needs_a_specification(
    source: Source, capsys: pytest.CaptureFixture[str], flag: str
) -> None:
    """Nothing else would obey it."""
    source.commit()
    assert main(["follow", str(source.path), "-k", "Twice", flag, "cpu"]) == 2
    (line,) = told(capsys.readouterr().err)
    assert f"{flag} needs --benchmark_file" in line

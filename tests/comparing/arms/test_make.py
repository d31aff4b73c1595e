"""`opperf venv make`: an environment of given packages, made once, linked whole, offline too."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from opperf.cli import main
from opperf.comparing.arms import venv
from opperf.comparing.arms.arm import parse_arm
from opperf.comparing.arms.venv import cache_folder
from tests.comparing.arms.wheels import wheel
from tests.conftest import told

NOWHERE = "http://127.0.0.1:9/simple"
"""An index that nobody serves: what asks it fails."""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep environments here, and let no installer reach an index or wheels of the machine."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_INDEX_URL"):
        monkeypatch.setenv(name, NOWHERE)
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    return cache_folder()


def made(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """Return what the command prints, and what it says beside."""
    assert main(["venv", "make", *words]) == 0
    said = capsys.readouterr()
    return said.out.rstrip("\n"), said.err


def test_a_local_wheel_is_installed_offline_once_and_linked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The python that is printed has it; made again it is the same, and its versions are pins."""
    link = tmp_path / "my environment"
    words = [str(wheel(tmp_path / "wheels")), "--offline", "--path", str(link)]
    python, said = made(words, capsys)
    assert said.startswith("opperf: installing ")
    assert Path(python) == link / "bin" / "python"
    code = "import tiny, sys; print(tiny.VERSION, sys.prefix)"
    ran = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == f"1.0 {link}\n"
    assert made(words, capsys) == (python, "")
    (key,) = venv.keys_in(cache_folder())
    assert main(["venv", "show", key]) == 0
    assert capsys.readouterr().out.startswith("tiny @ file://")


def test_versions_are_pinned_by_a_file_of_constraints(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of two wheels in a folder the one that it names is taken; other pins, another environment."""
    for version in ("1.0", "2.0"):
        wheel(tmp_path / "wheels", version)
    pins = tmp_path / "pins.txt"
    pins.write_text("tiny==1.0\n")
    words = ["tiny", "--offline", "--find-links", str(tmp_path / "wheels"), "--constraint"]
    python, _ = made([*words, str(pins)], capsys)
    (key,) = venv.keys_in(cache_folder())
    assert Path(python) == cache_folder() / key / "bin" / "python"
    assert main(["venv", "show", key]) == 0
    assert capsys.readouterr().out == "tiny==1.0\n"
    other = tmp_path / "other.txt"
    other.write_text("tiny==2.0\n")
    assert venv.key_of(python, ["tiny"], [str(pins)]) != venv.key_of(python, ["tiny"], [str(other)])


def test_what_cannot_be_installed_leaves_no_link_and_nothing_half_built(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says what the installer said, and an earlier link leads where it led."""
    link, earlier = tmp_path / "link", cache_folder() / "0123456789abcdef"
    link.symlink_to(earlier)
    path = wheel(tmp_path / "wheels", needs="Requires-Dist: absent-package\n")
    assert main(["venv", "make", str(path), "--offline", "--quiet", "--path", str(link)]) == 2
    (line,) = told(capsys.readouterr().err)
    assert line.startswith(f"opperf: environment '{path}': ")
    assert "absent-package" in line
    assert link.readlink() == earlier
    assert venv.keys_in(cache_folder()) == []


def test_an_arm_of_the_same_words_finds_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what an arm needs beside them; nothing is installed a second time."""
    held: list[tuple[str, ...]] = []

    def make(_python: str, path: Path) -> None:
        (path / "bin").mkdir(parents=True)
        (path / "bin" / "python").touch()

    def install(_path: Path, requirements: tuple[str, ...], _supply: object) -> tuple[str, ...]:
        held.append(requirements)
        return ()

    monkeypatch.setattr(venv, "make", make)
    monkeypatch.setattr(venv, "install", install)
    python, _ = made(["torch==2.2.0", "--arm"], capsys)
    assert held == [("torch==2.2.0", "numpy>=1.23.5,<2")]
    assert made(["torch==2.2.0"], capsys)[0] != python
    assert venv.provide(parse_arm("torch==2.2.0"), cache_folder(), print) == python
    assert len(held) == 2


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["\udc80"], "is not UTF-8"),
        (["A=1"], "environment 'A=1': 'A=1' is none of: a pip requirement"),
        (["--quiet", "--", "--index-url=http://x"], "'--index-url=http://x' is none of"),
        (["torch; rm -rf ."], "is none of: a pip requirement"),
        (["missing/tiny.whl"], "there is no missing/tiny.whl; give a pip requirement"),
        (["tiny", "--python", "missing"], "--python 'missing' cannot be executed"),
        (["tiny", "--constraint", "missing"], "--constraint missing: there is no such file"),
        (["tiny", "--find-links", "missing"], "--find-links missing: there is no such directory"),
        (["tiny", "--path", "missing/link"], "there is no directory"),
        (["tiny", "--path", "file"], "exists and is no environment of opperf's"),
        (["tiny", "--path", "elsewhere"], "exists and is no environment of opperf's"),
    ],
)
def test_a_wrong_request_is_one_line_and_makes_nothing(
    words: list[str],
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It names the value and what is allowed; what stands at a path is never replaced."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "elsewhere").symlink_to("/usr")
    assert main(["venv", "make", *words]) == 2
    (line,) = told(capsys.readouterr().err)
    assert reason in line
    assert venv.keys_in(cache_folder()) == []
    assert (tmp_path / "file").read_text() == "mine"
    assert (tmp_path / "elsewhere").readlink() == Path("/usr")


def test_an_unknown_one_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """A key is none that there is."""
    assert main(["venv", "show", "0123"]) == 2
    assert "unknown virtual environment '0123'" in capsys.readouterr().err

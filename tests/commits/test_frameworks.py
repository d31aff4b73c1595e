"""Frameworks of builds: those of this installation, and those that a commit's package brings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from opperf.cli import main
from opperf.commits.building.frameworks import names_framework, refuse_unknown_frameworks
from opperf.commits.following.journal import NAME
from opperf.core.errors import UsageError
from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commits.conftest import Source

ENTRY = '[project.entry-points."opperf.frameworks"]\nown = "tiny:FRAMEWORK"\n'
FRAMEWORK = """\
from opperf.numpy_benchmarks import NumPy

class Own(NumPy):
    name = "own"

FRAMEWORK = Own()
STATE = {state}

def twice(data):
    return data + data
"""


def declare(source: Source, text: str = ENTRY) -> None:
    """Write what declares the framework into the repository, for the next commit."""
    path = source.path / "pyproject.toml"
    path.write_text(f"{path.read_text()}{text}")


def test_a_framework_is_known_by_what_commits_declare(source: Source, tmp_path: Path) -> None:
    """Both ends must bring it; a word that only begins like it, or stands elsewhere, is none."""
    before = source.commit("own = 1")
    declare(source)
    after = source.commit()
    refuse_unknown_frameworks(["own", "numpy"], source.repository, [after])
    refuse_unknown_frameworks(["numpy"], source.repository, [before])
    for names, hashes, said in (
        (["numpy", "own"], [before, after], f"'own'.* commit {before[:12]} does not bring it"),
        (["ow"], [after], f"unknown framework 'ow'; .* commit {after[:12]} does not bring it"),
        (["nump"], [after], "did you mean 'numpy'"),
    ):
        with pytest.raises(UsageError, match=said):
            refuse_unknown_frameworks(names, source.repository, hashes)
    script = tmp_path / "build.sh"
    script.write_text("echo '[opperf.frameworks]' 'own = tiny:FRAMEWORK' > entry_points.txt")
    refuse_unknown_frameworks(["own"], source.repository, [before], [script])
    lost = "0" * 40
    refuse_unknown_frameworks(["own"], source.repository, [lost])  # git cannot say


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ('own = "x:F"', True), ("x:F\\nown = y", True), ("[group]\nown=x:F", True),
        ("town = x", False), ("owns = x", False), ("my-own = x", False), ("", False),
    ],
)  # fmt: skip
def test_a_framework_is_named_by_a_word_of_its_own(text: str, *, is_named: bool) -> None:
    """Also where a program that writes the entry points has the end of a line as two letters."""
    assert names_framework(text, "own") is is_named


@pytest.mark.parametrize("verb", ["follow", "bisect"])
def test_an_unknown_framework_is_told_before_anything_is_built(
    source: Source,
    tmp_path: Path,
    verb: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whether a flag or the environment names it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    good, bad = source.commit(), source.commit()
    words = {
        "follow": [str(source.path), "--exec_dir", str(tmp_path / "exec")],
        "bisect": [good, bad, "--repo", str(source.path), "--state", str(tmp_path / "state")],
    }
    command = [verb, *words[verb], "-k", "Twice", "--size", "small"]
    assert main([*command, "--framework", "nump"]) == 2
    monkeypatch.setenv("OPPERF_FRAMEWORK", "nump")
    assert main(command) == 2
    lines = told(capsys.readouterr().err)
    assert len(lines) == 2
    for line in lines:
        assert "unknown framework 'nump'; did you mean 'numpy'? allowed: " in line
        assert f"commit {bad[:12] if verb == 'follow' else good[:12]} does not bring it" in line
    assert not [*tmp_path.glob("**/build.json")]
    assert not (tmp_path / "state").exists()


def test_a_framework_that_the_commits_bring_is_measured(
    source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This installation does not know it; the sessions, which have the builds, do."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    backend = source.path / "backend.py"
    old, new = "tiny = tiny_operators\\n", "\\n[opperf.frameworks]\\nown = tiny:FRAMEWORK\\n"
    backend.write_text(backend.read_text().replace(old, f"{old}{new}"))
    made = [source.commit(FRAMEWORK.format(state=at)) for at in range(2)]
    folder = tmp_path / "exec"
    few = ["--sessions", "1", "--most-sessions", "1", "--size", "small", "--quiet"]
    words = ["follow", str(source.path), "--exec_dir", str(folder), "-k", "Twice", *few]
    assert main([*words, "--framework", "own"]) == 0
    (path,) = folder.glob(f"follow/*/{NAME}")
    events = [json.loads(line) for line in path.read_text().splitlines()]
    assert [event["commit"] for event in events if event["kind"] == "reported"] == made
    outcome = next(each["outcome"] for each in reversed(events) if each["kind"] == "outcome")
    assert {row["framework"] for row in outcome["rows"]} == {"own"}

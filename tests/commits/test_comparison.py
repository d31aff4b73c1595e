"""How a comparison of two builds ends, by the exit code and the words of `opperf ab`."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from opperf.commits.building.build import BUILT, Build
from opperf.commits.building.room import NoRoomError
from opperf.commits.following import comparison
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FULL = "opperf: cannot write results.jsonl: No space left on device"


def build_in(folder: Path) -> Build:
    """Return a build, of which there is no more than the place."""
    return Build(commit="0" * 40, path=str(folder), state=BUILT)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, str, str]]:
    """Return what commands of opperf answer, one after the other: exit code, stdout, stderr."""
    found: list[tuple[int, str, str]] = []

    def answer(_: str, words: Sequence[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(words, *found.pop(0))

    monkeypatch.setattr(comparison, "opperf", answer)
    return found


def test_a_full_disk_blames_no_commit_and_loses_nothing(
    answers: list[tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is full at the first session or when the comparison goes on."""
    build, folder = build_in(tmp_path), tmp_path / "runs"
    answers.append((1, "", FULL))
    with pytest.raises(NoRoomError, match="No space left on device; free space"):
        comparison.compare_builds(build, build, [], folder)
    run = folder / "run"
    run.mkdir(parents=True)
    monkeypatch.setattr(comparison, "run_in", lambda _: run)
    answers.append((1, "", FULL))
    with pytest.raises(NoRoomError, match="No space left on device; free space"):
        comparison.compare_builds(build, build, [], folder)
    assert run.exists()


def test_a_run_that_cannot_go_on_is_made_anew(
    answers: list[tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that is damaged: the commit is compared all the same."""
    build, run = build_in(tmp_path), tmp_path / "runs" / "run"
    run.mkdir(parents=True)
    monkeypatch.setattr(comparison, "run_in", lambda _: run)
    answers += [(2, "", "opperf: run.json is damaged"), (0, '[{"verdict": "equivalent"}]', "")]
    found = comparison.compare_builds(build, build, [], run.parent)
    assert (found.rows, found.reason) == ([{"verdict": "equivalent"}], None)
    assert not run.exists()


def test_what_is_wrong_with_a_commit_is_its_state_and_what_was_asked_is_an_error(
    answers: list[tuple[int, str, str]], tmp_path: Path
) -> None:
    """Only what lies in the package of a commit is the commit's."""
    build, folder = build_in(tmp_path), tmp_path / "runs"
    answers += [(2, "", "opperf: arm b (x): no module named tiny"), (12, "", "opperf: no operator")]
    broken = comparison.compare_builds(build, build, [], folder)
    assert broken.reason == "arm b (x): no module named tiny"
    assert comparison.compare_builds(build, build, [], folder).is_empty
    answers.append((2, "", "opperf: unknown size 'huge'"))
    with pytest.raises(UsageError, match="unknown size"):
        comparison.compare_builds(build, build, [], folder)

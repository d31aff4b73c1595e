"""`opperf resume` takes what was asked for from run.json, which it reads once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.storing import run_directory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    Call = Callable[..., CompletedProcess[str]]

CHOICE = ("-k", "name=Exp and direction=forward", "--framework", "numpy", "--size", "small")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the manifests that are read, as they are."""
    found: list[Path] = []
    load = run_directory.load

    def noting(path: Path) -> dict[str, Any]:
        found.append(path)
        return load(path)

    monkeypatch.setattr(run_directory, "load", noting)
    return found


@pytest.mark.parametrize(
    ("asked", "more"),
    [
        (("run", *CHOICE, "--runs", "6", "--warmup", "0", "--check-only", "--quiet"), ()),
        (("ab", "--a", ".", "--b", ".", *CHOICE, "--budget", "0.001ms", "--wait", "--quiet"), ()),
        (("run", *CHOICE, "--check-only", "--quiet"), ("--unreliable",)),
    ],
)
def test_the_manifest_is_read_once(
    call: Call, reads: list[Path], asked: tuple[str, ...], more: tuple[str, ...]
) -> None:
    """A run's and a comparison's."""
    begun = call(*asked)
    reads.clear()
    done = call("resume", "last", "--quiet", *more)
    assert done.returncode == begun.returncode, done.stderr
    assert len(reads) == 1


def test_a_comparison_has_no_unreliable_times(call: Call, reads: list[Path]) -> None:
    """Its verdicts say what is undecided."""
    call("ab", "--a", ".", "--b", ".", *CHOICE, "--budget", "0.001ms", "--wait", "--quiet")
    reads.clear()
    done = call("resume", "last", "--unreliable")
    assert done.returncode == 2
    assert "is a comparison, not a run" in done.stderr
    assert len(reads) == 1

"""`opperf resume` takes what was asked for from run.json, which it reads once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.machine.lock import measuring_alone
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


def test_a_comparison_waits_for_another_if_asked(call: Call) -> None:
    """The line that refuses it names a flag that this verb has; a run takes no turns."""
    ended = call("ab", "--a", ".", "--b", ".", *CHOICE, "--budget", "0.001ms", "--quiet")
    with measuring_alone(wait=False):
        refused = call("resume", "last", "--quiet")
    assert refused.returncode == 2
    assert "give --wait to begin after it" in refused.stderr
    assert call("resume", "last", "--quiet", "--wait").returncode == ended.returncode
    call("run", *CHOICE, "--check-only", "--quiet")
    no_turns = call("resume", "last", "--wait")
    assert no_turns.returncode == 2
    assert "is no comparison; only these take turns" in no_turns.stderr


def test_a_run_of_the_version_before_goes_on(call: Call, tmp_path: Path) -> None:
    """Whatever it called the operators since: what it has measured is not measured again."""
    choice = ("-k", "name in (Gelu, Relu) and direction=forward", *CHOICE[2:])
    assert call("run", *choice, "--check-only", "--quiet").returncode == 0
    (journal,) = tmp_path.glob("runs/*/results.jsonl")
    first, _ = journal.read_text().splitlines(keepends=True)
    older = first.replace('"name":"GELU"', '"name":"Gelu"')
    assert older.count('"Gelu"') == 2
    journal.write_text(older)
    done = call("resume", "last", "--quiet")
    assert done.returncode == 0, done.stderr
    names = [json.loads(line)["operator"]["name"] for line in journal.read_text().splitlines()]
    assert names == ["Gelu", "ReLU"]
    shown = call("show", "last")
    assert "GELU" in shown.stdout
    assert "Gelu" not in shown.stdout

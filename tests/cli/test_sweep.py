"""A sweep over sizes as a user meets it: lines fitted, points kept, and going on with one."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from opperf.cli.running import sweep
from opperf.core.results.reading import from_mapping
from opperf.planning import plan
from opperf.planning.sweep import make_ladder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    import pytest

    from opperf.declaring.declaration import Declaration
    from opperf.planning.sweep import Ladder

UNIT = re.compile(r"\[..\]")
"""A head's unit: it follows from the machine, and no unit stands where no time is known."""
FEW = ("--framework", "numpy", "--runs", "6", "--warmup", "1", "--memory-limit", "900MB")
EXP = ("run", "--sweep", "-k", "name in (Exp, Inverse)", *FEW)


def test_a_sweep_shows_a_line_an_operator(
    call: Any, opperf: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real: times by size, fixed cost and rate at 80 columns; what is left out is said."""
    monkeypatch.setenv("COLUMNS", "80")
    run = call(*EXP)
    assert run.returncode == 0
    times, fits = (part.splitlines() for part in run.stdout.split("\n\n")[:2])
    assert UNIT.sub("", times[0]).split() == ["operator", "direction", "n", "inputs", "numpy"]
    assert len(times) == 1 + 6
    assert UNIT.sub("", fits[0]).split()[:5] == [
        "operator", "framework", "direction", "fixed", "cost",
    ]  # fmt: skip
    # Long intervals leave no room for the last column, which is named then.
    assert "half rate at" in fits[0] or "half rate at" in fits[2]
    assert fits[1].split()[:3] == ["Exp", "numpy", "forward"]
    assert "time = fixed cost + n / rate" in run.stdout
    assert max(map(len, run.stdout.splitlines())) <= 80
    assert "Exp: 6 sizes, 8.19 kB to 8.39 MB; the next would take more than 300 MB," in run.stderr
    assert "Inverse is left out: no leading dimension scales it as a whole" in run.stderr
    assert [r["inputs"][0]["shape"] for r in opperf.records()] == [
        [4**step, 1024] for step in range(6)
    ]


def test_the_points_are_ordinary_results(call: Any, opperf: Any, tmp_path: Path) -> None:
    """They are valid, shown and written as those of any run; the fits are objects for programs."""
    form = ("--quiet", "--format", "json", "--output-file", "points.json")
    rows = json.loads(call(*EXP, *form).stdout)
    assert len(json.loads((tmp_path / "points.json").read_text())) == 6
    assert [(row["operator"], row["unit"]) for row in rows] == [("Exp", "B")]
    assert rows[0]["points"] + rows[0]["left_out"] == 6  # a loaded machine makes some unreliable
    for record in opperf.records():
        assert from_mapping(record).status in ("ok", "noisy")
    shown = json.loads(call("show", "--format", "json").stdout)
    assert [row["inputs"] for row in shown] == [f"({4**step},1024)" for step in range(6)]


def test_sizes_that_would_take_too_long_are_skipped(
    call: Any, opperf: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As results that say so; one size is no line."""
    monkeypatch.setattr(sweep, "LONGEST", 1e-9)
    run = call(*EXP)
    assert run.returncode == 0
    statuses = [record["status"] for record in opperf.records()]
    assert statuses[0] in ("ok", "noisy")
    assert statuses[1:] == ["skipped"] * 5
    assert "s, more than 1e-09 s" in run.stdout
    fits = run.stdout.split("\n\n")[1].splitlines()
    assert fits[1].split()[3:] == ["-", "-", "-"]


def test_a_resumed_sweep_is_a_sweep(call: Any, opperf: Any) -> None:
    """It measures the sizes that are missing and fits all; those that were skipped are not."""
    call(*EXP, "--quiet")
    (folder,) = opperf.runs()
    journal = folder / "results.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:3]))
    run = call("resume", "last", "--quiet", "--format", "json")
    assert run.returncode == 0
    assert [row["points"] + row["left_out"] for row in json.loads(run.stdout)] == [6]
    assert len(opperf.records()) == 6
    assert call("resume", "last", "--quiet").returncode == 0
    assert len(opperf.records()) == 6


def test_trouble_ends_an_operators_sizes(toy: Any) -> None:
    """Real: what fails at one size is not tried at a larger one; the others go on."""
    fail = ("-k", "name in (Add, Raiser) and direction=forward", *FEW, "--framework", "toy")
    run = toy.run("run", "--sweep", *fail)
    statuses = [(r["operator"]["name"], r["status"]) for r in toy.records()]
    failed = [status for name, status in statuses if name == "Raiser"]
    assert failed[0] == "failed"
    assert set(failed[1:]) == {"skipped"}
    assert {status for name, status in statuses if name == "Add"} <= {"ok", "noisy"}
    assert "not tried after failed at a smaller size" in run.stdout
    assert run.returncode == 11


def test_a_sweep_of_nothing_is_empty(call: Any) -> None:
    """An operator that cannot be scaled alone leaves nothing to measure."""
    run = call("run", "--sweep", "-k", "name=Inverse", *FEW)
    assert run.returncode == 12
    assert "Inverse is left out" in run.stderr


def test_sizes_are_planned_once(
    call: Callable[..., CompletedProcess[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said of them on stderr comes of the same plan as the tasks."""
    planned: list[str] = []

    def noting(kind: type[Declaration], *more: Any) -> Ladder:
        planned.append(kind.name())
        return make_ladder(kind, *more)

    monkeypatch.setattr(plan, "make_ladder", noting)
    done = call("run", "--sweep", "-k", "name in (Inverse, Cholesky)", "--framework", "numpy")
    assert done.returncode == 12
    assert planned == ["Cholesky", "Inverse"]
    assert done.stderr.count("is left out") == 2

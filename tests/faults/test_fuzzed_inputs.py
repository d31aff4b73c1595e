"""Hostile inputs and options, some of those that benchmarks/fuzz_inputs.py tries by hand."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from opperf.core.errors import UsageError

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SOME = 600


def test_each_is_accepted_or_refused_in_one_line(opperf: Any) -> None:
    """No traceback, no hang, by the class, the plan, a sweep, NumPy and every verb."""
    script = str(BENCHMARKS / "fuzz_inputs.py")
    said = opperf.execute([sys.executable, script, str(SOME), "--seed", "22"])
    assert said.returncode == 0, said.stdout + said.stderr
    parts = dict(re.findall(r"^(\w+): (\d+) inputs", said.stdout, re.MULTILINE))
    assert parts.keys() == {"class", "plan", "sweep", "building", "options"}
    assert sum(map(int, parts.values())) - int(parts["building"]) == SOME
    assert "0 tracebacks, 0 hangs above 10 s, 0 refused otherwise" in said.stdout


def fail() -> str:
    """Do what arithmetic on hostile inputs does."""
    raise ZeroDivisionError


def refuse() -> str:
    """Say more than one line."""
    raise UsageError("first\nsecond")


def hang() -> str:
    """Never come back."""
    while True:
        pass


@pytest.mark.parametrize(
    ("action", "outcome"),
    [
        (fail, "tracebacks"),
        (hang, "hangs above 10 s"),
        (refuse, "refused otherwise than in one line"),
    ],
)
def test_what_should_not_happen_is_counted(
    monkeypatch: pytest.MonkeyPatch, action: Any, outcome: str
) -> None:
    """With its place and an example: the counts of zero above say something."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    tally = import_module("fuzzing.tally")
    monkeypatch.setattr(tally, "LONGEST", 0.05)
    found = tally.Tally()
    found.attempt("class", {"data": ()}, action)
    assert found.total(outcome) == 1
    assert f"1 {outcome}" in found.report()
    assert "{'data': ()}" in found.report()

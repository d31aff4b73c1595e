"""`opperf ab --calls --arm` with real processes: calls in several arms, and what they predict."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import CommandLine


def test_each_arm_has_its_calls_and_its_prediction(opperf: CommandLine) -> None:
    """Kept, shown again, and drawn: the sum of the calls is a line of the table as well."""
    pytest.importorskip("torch")
    (opperf.directory / "toy.calls.json").write_text(
        "Operator: aten.relu.default\ncnt: 5, ((T([64, 64], f32),), {})\n"
    )
    arms = ("--arm", "one=.", "--arm", "two=threads=2", "--arm", "three=env.X=1")
    few = ("--sessions", "1", "--most-sessions", "1", "--oversubscribe", "--format", "json")
    words = ("ab", "--calls", "toy.calls.json", "--no-network", *arms, "--quiet", *few)
    done = opperf.run(*words)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    kinds = [(row["kind"], row["arm"]) for row in rows if not row["control"]]
    every = [(kind, arm) for kind in ("call", "prediction") for arm in ("two", "three")]
    assert sorted(kinds) == sorted(every)
    assert {row.get("count") for row in rows if row["kind"] == "call" and not row["control"]} == {5}
    assert done.stderr.count("5 of 5 calls of a step") == 2
    shown = opperf.run("show", "last", "--format", "json")
    assert json.loads(shown.stdout) == rows
    table = opperf.run("show", "last", COLUMNS="80").stdout
    assert "sum of operators" in table
    lines = table.splitlines()
    assert max(map(len, lines[:-2])) <= 80
    assert [line.partition(":")[0] for line in lines[-2:]] == ["two", "three"]
    refused = opperf.run(*words, "--arm", "half=dtype=bfloat16")
    assert refused.returncode == 2
    assert "arm half: dtype does not go with --calls; leave it out" in refused.stderr

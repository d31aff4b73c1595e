"""A run of a specification is a run as any other: gone on with, shown, stored and followed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import told

if TYPE_CHECKING:
    from tests.conftest import CommandLine

STORE = ("--store", "results.db")
TRUSTED = ("--framework", "pytorch", "--trust-model")


def write(opperf: CommandLine, **test: Any) -> None:
    """Write net.json: a model of the tests' own, and two tests of it."""
    made = {"factory": "tests.specs.measuring.torch_models:perceptron"}
    model = {"name": "net", "format": "python", "commands": {"pytorch": made}}
    inputs = {"data": {"shapes": [[1, 8], [2, 8]]}}
    tests = [{"identifier": "net_{ID}", "metric": "delay", "iter": 8, "inputs": inputs, **test}]
    text = json.dumps({"model": model, "tests": tests})
    (opperf.directory / "net.json").write_text(text, encoding="utf-8")


def test_what_is_missing_of_a_run_is_measured(opperf: CommandLine) -> None:
    """A test whose record is lost; then other verbs know both, by their kind and identifier."""
    pytest.importorskip("torch")
    write(opperf)
    info = '{"treatment": {"commit": "0123abc"}}'
    done = opperf.run("spec", "net.json", *TRUSTED, "--info", info, "--tag", "a")
    assert done.returncode == 0, done.stderr
    (run,) = opperf.runs()
    first, _ = opperf.journal().splitlines(keepends=True)
    (run / "results.jsonl").write_bytes(first)
    resumed = opperf.run("resume", run.name)
    assert resumed.returncode == 0, resumed.stderr
    kept, fresh = opperf.records()
    assert kept == json.loads(first)
    assert [one["attributes"]["identifier"] for one in (kept, fresh)] == ["net_0", "net_1"]
    assert kept["meta"]["commit"] == fresh["meta"]["commit"] == "0123abc"
    assert (fresh["tags"], fresh["memory"]["outputs"]) == (["a"], 2 * 4 * 4)
    assert opperf.run("show").stdout == resumed.stdout
    assert [line.split()[0] for line in resumed.stdout.splitlines()] == ["test", "net_0", "net_1"]
    refused = opperf.run("resume", run.name, "--unreliable")
    assert "is of specifications; give more --sessions" in refused.stderr
    assert opperf.run("db", "init", *STORE).returncode == 0
    assert opperf.run("import", "last", *STORE).returncode == 0
    history = opperf.run("history", "net", *STORE, "--format", "json")
    assert {row["operator"] for row in json.loads(history.stdout)} == {"net"}
    compared = opperf.run("compare", "last", "last", "--format", "json")
    assert {row["operator"] for row in json.loads(compared.stdout)} == {"net"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ab", "--a", ".", "--b", "A=1", "--spec", "net.json", "-k", "name=Add"],
         "-k: is of operators; leave it out beside --spec"),
        (["ab", "--a", ".", "--b", "A=1", "--spec", "net.json", "--metric", "energy"],
         "--metric energy does not go with --spec"),
        (["ab", "--a", ".", "--b", "A=1", "--spec", "nets.json"], "nets.json"),
        (["ab", "--a", ".", "--b", "A=1", "--spec", "net.json", "--devices", "cpu,cuda:7"],
         "--devices 'cuda:7': platform 'cpu' has no such device"),
        (["ab", "--a", ".", "--b", "A=1", "--spec", "net.json", "--device", "cuda:99"],
         "--devices 'cuda:99': platform 'cuda' has no such device"),
        (["ab", "--a", ".", "--b", "A=1", "-k", "name=Add", "--backend", "mkl"],
         "--backend goes with --spec"),
        (["spec", "net.json", "--framework", "pytorch,mxnet", "--save-outputs", "golden"],
         "--save-outputs: pytorch and mxnet would both write net_0"),
    ],
)  # fmt: skip
def test_a_wrong_request_is_one_line(opperf: CommandLine, words: list[str], said: str) -> None:
    """With exit code 2, before anything is measured."""
    pytest.importorskip("torch")
    write(opperf)
    done = opperf.run(*words)
    assert (done.returncode, len(told(done.stderr))) == (2, 1), done.stderr
    assert said in done.stderr

"""What a run writes and prints besides its journal."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path

SMALL = ("-k", "name=Exp", "--framework", "numpy", "--size", "small", "--runs", "6")
TOY = ("-k", "name in (Double, Liar, Segfault)", "--framework", "toy", "--size", "small")


def test_every_record_of_a_real_run_obeys_the_schema(toy: Any) -> None:
    """``opperf schema result`` is what records are: measured, wrong and crashed ones alike."""
    assert toy.run("run", *TOY, "--runs", "6", "--tag", "nightly", "--tag", "run").returncode == 11
    printed = toy.run("schema", "result")
    schema = json.loads(printed.stdout)
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    records = toy.records()
    assert {r["status"] for r in records} >= {"wrong_result", "crashed"}
    for record in records:
        validator(schema).validate(record)
        assert record["tags"] == ["nightly", "run"]
        assert record["command"].startswith("opperf run -k 'name in (Double, Liar, Segfault)' ")
        assert record["command"].endswith(" --tag nightly --tag run")


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "md"])
def test_a_file_beside_the_journal(call: Any, tmp_path: Path, form: str) -> None:
    """All records as an array or a line each, or as a table; the journal is there as well."""
    run = call("run", *SMALL, "--output-format", form, "--output-file", f"out.{form}")
    assert run.returncode == 0
    text = tmp_path.joinpath(f"out.{form}").read_text()
    (journal,) = tmp_path.glob("runs/*/results.jsonl")
    record = json.loads(journal.read_text())
    if form == "json":
        assert json.loads(text) == [record]
    elif form == "jsonl":
        assert json.loads(text) == record
    elif form == "csv":
        (row,) = csv.DictReader(text.splitlines())
        assert (row["operator"], row["framework"]) == ("Exp", "numpy")
        assert float(row["seconds"] or "nan") == record["summary"]["median"]
    else:
        assert text.startswith("|")
        assert "Exp" in text
    assert not list(tmp_path.glob(".*.part"))


def test_an_existing_file_is_replaced_by_force(call: Any, tmp_path: Path) -> None:
    """Only then; its form is JSON where none is named."""
    there = tmp_path / "out.json"
    there.write_text("mine")
    assert call("run", *SMALL, "--output-file", "out.json").returncode == 2
    assert there.read_text() == "mine"
    assert call("run", *SMALL, "--output-file", "out.json", "--force").returncode == 0
    assert len(json.loads(there.read_text())) == 1


def test_json_on_stdout_is_an_array_and_nothing_else(call: Any) -> None:
    """Messages and progress go to stderr, which --quiet keeps empty."""
    run = call("run", *SMALL, "--format", "json")
    (row,) = json.loads(run.stdout)
    assert (row["operator"], row["framework"], row["direction"]) == ("Exp", "numpy", "forward")
    assert not [value for value in row.values() if isinstance(value, (dict, list))]
    assert "results: runs/" in run.stderr
    quiet = call("run", *SMALL, "--format", "json", "--quiet")
    assert quiet.stderr == ""
    assert len(json.loads(quiet.stdout)) == 1


def test_only_checked_is_not_timed(call: Any, tmp_path: Path) -> None:
    """--check-only compares with the reference and takes no sample."""
    assert call("run", *SMALL, "--check-only").returncode == 0
    (journal,) = tmp_path.glob("runs/*/results.jsonl")
    record = json.loads(journal.read_text())
    assert (record["status"], record["reason"]) == ("skipped", "checked, not timed")
    assert record["samples"] is None
    assert record["correctness"]["max_rel_error"] is not None


def test_a_wrong_result_is_found_by_checking_alone(toy: Any) -> None:
    """And is a failure, unless the exit code is asked to be 0."""
    chosen = ("-k", "name=Liar", "--framework", "toy", "--size", "small", "--check-only")
    assert toy.run("run", *chosen).returncode == 11
    assert toy.run("run", *chosen, "--exit-zero").returncode == 0
    assert [r["status"] for r in toy.records()] == ["wrong_result"]


def test_inputs_and_attributes_from_the_command_line(call: Any, tmp_path: Path) -> None:
    """--input is repeatable and sets either; the record states them and no size."""
    given = ("--input", "data=(3,4)", "--input", "axis=0", "--input", "dtype=float64")
    run = call("run", "-k", "name=Sum", "--framework", "numpy", "--runs", "6", *given)
    assert run.returncode == 0
    (journal,) = tmp_path.glob("runs/*/results.jsonl")
    record = json.loads(journal.read_text())
    assert [(i["shape"], i["dtype"]) for i in record["inputs"]] == [([3, 4], "float64")]
    assert record["attributes"]["axis"] == 0
    assert record["operator"]["size"] is None


def test_variables_of_the_child(call: Any, tmp_path: Path, monkeypatch: Any) -> None:
    """--env sets one in the child and the record; a secret and what is not listed stay out."""
    monkeypatch.setenv("OMP_PROC_BIND", "close")
    monkeypatch.setenv("MXNET_TOKEN", "hidden-1")
    monkeypatch.setenv("UNRELATED", "hidden-2")
    assert call("run", *SMALL, "--env", "OMP_SCHEDULE=static").returncode == 0
    (journal,) = tmp_path.glob("runs/*/results.jsonl")
    variables = json.loads(journal.read_text())["environment"]["env_vars"]
    assert variables["OMP_SCHEDULE"] == "static"
    assert variables["OMP_PROC_BIND"] == "close"
    assert not {"MXNET_TOKEN", "UNRELATED", "PYTHONPATH", "HOME"} & set(variables)
    written = "".join(path.read_text() for path in tmp_path.glob("runs/*/*.json*"))
    assert "hidden" not in written


def test_the_plan_s_order_and_the_live_lines(toy: Any) -> None:
    """Frameworks take turns on each operator; every row is a line on stderr as it ends."""
    run = toy.run("run", "-k", "name=Double", "--framework", "toy,numpy", "--runs", "6")
    assert run.returncode == 0
    found = [(r["operator"]["framework"], r["operator"]["direction"]) for r in toy.records()]
    directions = ("forward", "forward_recorded", "backward", "forward_backward")
    assert found == [*(("toy", direction) for direction in directions), ("numpy", "forward")]
    lines = told(run.stderr)
    assert lines[0].startswith("opperf 0.1.0  toy 1.0  numpy ")
    assert len([line for line in lines if " Double (2,4) " in line]) == 5

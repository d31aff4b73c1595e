"""`opperf list --calls`, and the schema of a calls file."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from tests.calls import documents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    Call = Callable[..., CompletedProcess[str]]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Return a log and a calls file."""
    (tmp_path / "log.txt").write_text(documents.LOG)
    (tmp_path / "toy.calls.json").write_bytes(documents.data())
    return [str(tmp_path / name) for name in ("log.txt", "toy.calls.json")]


def test_all_forms_say_the_same(call: Call, files: list[str]) -> None:
    """The table sums up what json and csv list."""
    rows = json.loads(call("list", "--format", "json", "--calls", *files).stdout)
    by_name = {row["operator"]: row for row in rows}
    product = by_name["aten.mm.default"]
    assert (product["calls"], product["distinct"], product["networks"]) == (25, 3, 2)
    assert (product["kind"], product["forward"][0]) == ("declared", "Dot")
    assert rows[0]["operator"] == "aten.odd.Scalar_out"
    assert rows[0]["kind"] == "missing"
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    listed = [
        *csv.DictReader(call("list", "--format", "csv", "--calls", *files).stdout.split("\n"))
    ]
    assert [row["operator"] for row in listed] == [row["operator"] for row in rows]
    said = call("list", "--calls", *files).stdout
    assert "aten.mm.default" in said
    assert f"{len(rows)} operators in 2 networks" in said
    assert "of operators that are not declared" in said


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("-k", "name=Add", "--calls", "x"), "--calls counts all operators; leave out -k"),
        (("--coverage", "--calls", "x"), "--coverage and --calls are two lists; give one of them"),
        (("--calls", "absent"), "cannot read absent: No such file or directory"),
    ],
)
def test_what_does_not_fit_is_one_line(call: Call, words: tuple[str, ...], reason: str) -> None:
    """With exit code 2."""
    run = call("list", *words)
    assert (run.returncode, run.stdout, run.stderr) == (2, "", f"opperf: {reason}\n")


def test_the_schema_is_printed(call: Call) -> None:
    """And takes a calls file."""
    schema = json.loads(call("schema", "calls").stdout)
    Draft202012Validator.check_schema(schema)
    assert not [*Draft202012Validator(schema).iter_errors(documents.document())]

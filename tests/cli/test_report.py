"""`opperf report`: what it writes of runs and verdicts, and what it says when it cannot."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from opperf.core.results.reading import from_mapping
from tests import records
from tests.conftest import told

if TYPE_CHECKING:
    from collections.abc import Callable

RECORDED = Path(__file__).parent / "terminal" / "ab"
SMALL = ("run", "-k", "name in (Exp, Sqrt)", "--framework", "numpy", "--size", "small", "--quiet",
         "--runs", "6")  # fmt: skip
FORMS = ("html", "md", "csv", "junit", "chrome-trace")
VERDICT = {"operator": "Add", "framework": "mxnet", "direction": "forward", "verdict": "slower",
           "ratio": 1.143, "interval": [1.131, 1.155], "confirmed": True}  # fmt: skip


@pytest.fixture
def measured(call: Callable[..., Any], tmp_path: Path) -> Path:
    """Return the journal of a real run."""
    assert call(*SMALL).returncode == 0
    (journal,) = tmp_path.glob("runs/*/results.jsonl")
    return journal


def changed(journal: Path, target: Path, **fields: Any) -> str:
    """Write a journal with other fields, and return its path."""
    results = [from_mapping(json.loads(line)) for line in journal.read_text().splitlines()]
    target.write_text("".join(records.changed(r, **fields).to_json() + "\n" for r in results))
    return str(target)


def test_all_forms_at_once(call: Any, measured: Path, tmp_path: Path) -> None:
    """Each is what its reader expects, of every result of the run."""
    found = call("report", *(word for form in FORMS for word in (f"--{form}", f"out.{form}")))
    assert (found.returncode, found.stdout) == (0, "")
    count = len(measured.read_text().splitlines())
    page = tmp_path.joinpath("out.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert measured.parent.name in page
    rows = [*csv.DictReader(tmp_path.joinpath("out.csv").read_text().splitlines())]
    assert len(rows) == count
    cases = ET.parse(tmp_path / "out.junit").findall(".//testcase")  # noqa: S314 - ours
    assert len(cases) == count
    trace = json.loads(tmp_path.joinpath("out.chrome-trace").read_text())
    assert sum(event["ph"] == "X" for event in trace["traceEvents"]) == count
    assert tmp_path.joinpath("out.md").read_text().startswith("| operator")


@pytest.mark.usefixtures("measured")
def test_a_filter_chooses_what_is_reported(call: Any, tmp_path: Path) -> None:
    """The same filters as elsewhere."""
    assert call("report", "last", "-k", "name=Exp", "--csv", "out.csv").returncode == 0
    rows = csv.DictReader(tmp_path.joinpath("out.csv").read_text().splitlines())
    assert {row["operator"] for row in rows} == {"Exp"}
    found = call("report", "last", "-k", "category=gemm", "--csv", "other.csv")
    assert found.returncode == 12
    assert found.stderr.endswith("matches 'category=gemm'\n")


@pytest.mark.usefixtures("measured")
def test_existing_files_are_replaced_by_force(call: Any, tmp_path: Path) -> None:
    """Only then, and nothing is written where one of several exists."""
    tmp_path.joinpath("out.csv").write_text("mine")
    found = call("report", "--html", "out.html", "--csv", "out.csv")
    assert found.returncode == 2
    assert found.stderr == "opperf: --csv out.csv: exists; give --force to replace it\n"
    assert not tmp_path.joinpath("out.html").exists()
    assert call("report", "--csv", "out.csv", "--force").returncode == 0
    assert tmp_path.joinpath("out.csv").read_text() != "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "nothing to write: give --html"),
        (("--html", "a", "--md", "a"), "two forms cannot be written to the same file"),
        (("--html", "no/such/folder.html"), "there is no directory no/such"),
        (("--html", "."), "--html .: is a directory"),
        (("--html", "/dev/full"), "--html /dev/full: is a device or a pipe"),
        (("nosuchrun", "--html", "a"), "unknown run 'nosuchrun'"),
        (("last", "nosuchrun", "--html", "a"), "unknown run 'nosuchrun'"),
        (("last", "last", "--chrome-trace", "a"), "--chrome-trace: there is none of this"),
        (
            ("last", "last", "--html", "a", "--min-effect", "200%"),
            "'200%': must be above 0",
        ),
        (
            ("last", "last", "--html", "a", "--min-effect", "nan"),
            "'nan': must be above 0",
        ),
        (("last", "--ab", "v.json", "--html", "a"), "has no run beside it"),
        (("--ab", "v.json", "--html", "a"), "cannot read --ab v.json: No such file"),
        (("--github",), "GITHUB_STEP_SUMMARY is not set"),
        (("--comment", "a b"), "--comment 'a b': must be 1 to 64 letters"),
        (("--comment", "a", "--since", "9d"), "--comment: a history is no comment"),
        (("--html",), "expected one argument"),
    ],
)
@pytest.mark.usefixtures("measured")
def test_a_wrong_request_is_one_line(
    call: Any, arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    """Exit code 2, what is wrong, and no file."""
    found = call("report", *arguments)
    assert found.returncode == 2
    assert words in found.stderr
    assert len(told(found.stderr)) == 1
    assert not tmp_path.joinpath("a").exists()


@pytest.mark.usefixtures("measured")
def test_an_unwritable_folder(call: Any, tmp_path: Path) -> None:
    """One line that names it; root may write everywhere but into what is no folder."""
    tmp_path.joinpath("file").touch()
    found = call("report", "--html", "file/out.html")
    assert found.returncode == 2
    assert found.stderr == "opperf: --html file/out.html: there is no directory file\n"


def test_an_empty_run(call: Any, tmp_path: Path) -> None:
    """There is nothing to report on; that is no page."""
    folder = tmp_path / "empty"
    folder.mkdir()
    folder.joinpath("results.jsonl").touch()
    found = call("report", "empty", "--html", "out.html")
    assert (found.returncode, len(told(found.stderr))) == (12, 1)
    assert not tmp_path.joinpath("out.html").exists()


def test_ten_thousand_results(call: Any, measured: Path, tmp_path: Path) -> None:
    """A page that holds every one of them."""
    record = json.loads(measured.read_text().splitlines()[0])
    with tmp_path.joinpath("many.jsonl").open("w") as file:
        for number in range(10_000):
            operator = {**record["operator"], "name": f"Operator{number}"}
            json.dump({**record, "result_id": str(number), "operator": operator}, file)
            file.write("\n")
    assert call("report", "many.jsonl", "--html", "out.html").returncode == 0
    page = tmp_path.joinpath("out.html").read_text(encoding="utf-8")
    assert '"Operator9999"' in page
    assert len(re.findall(r'"Operator\d', page)) == 20_000  # each with its label


def test_two_runs_side_by_side(call: Any, measured: Path, tmp_path: Path) -> None:
    """Joined by series; nothing is confirmed, and the page says why."""
    other = changed(measured, tmp_path / "other.jsonl", environment={"cpu": "Other"})
    found = call("report", str(measured), other, "--html", "out.html", "--csv", "out.csv")
    assert found.returncode == 0
    rows = [*csv.DictReader(tmp_path.joinpath("out.csv").read_text().splitlines())]
    assert len(rows) == len(measured.read_text().splitlines())
    assert {row["confirmed"] for row in rows} == {""}
    assert {float(row["ratio"]) for row in rows} == {1.0}
    page = tmp_path.joinpath("out.html").read_text(encoding="utf-8")
    assert "taken apart in time" in page


def test_two_runs_with_nothing_in_common(call: Any, measured: Path, tmp_path: Path) -> None:
    """One line; another exit code where they have rows in common that mean different things."""
    other = changed(measured, tmp_path / "other.jsonl", series_key="another")
    found = call("report", str(measured), other, "--html", "out.html")
    assert found.returncode == 12
    assert "have no result in common: no operator" in found.stderr
    unlike = changed(measured, tmp_path / "unlike.jsonl", definition_key="another")
    found = call("report", str(measured), unlike, "--html", "out.html")
    assert found.returncode == 14
    assert "measured differently" in found.stderr
    assert not tmp_path.joinpath("out.html").exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "not a JSON array"),
        ("[1]", "row 1: not a JSON object"),
        ("[{}]", "row 1: lacks operator, framework, direction, verdict"),
        (json.dumps([VERDICT, {**VERDICT, "verdict": "slow"}]), "row 2: unknown verdict 'slow'"),
        (json.dumps([{**VERDICT, "ratio": "1"}]), "row 1: field 'ratio' cannot be '1'"),
        (json.dumps([{**VERDICT, "interval": [1, 0]}]), "row 1: field 'interval' cannot be"),
        ('[{"ratio": NaN}]', "NaN"),
        ("[", "not JSON"),
        ("\x00", "not JSON"),
    ],
)
def test_verdicts_that_are_none(call: Any, tmp_path: Path, text: str, words: str) -> None:
    """One line that names the row and the field."""
    tmp_path.joinpath("v.json").write_text(text)
    found = call("report", "--ab", "v.json", "--html", "out.html")
    assert found.returncode == 2
    assert found.stderr.startswith("opperf: --ab v.json: ")
    assert words in found.stderr
    assert len(told(found.stderr)) == 1


def test_verdicts_in_every_form(call: Any, tmp_path: Path) -> None:
    """A confirmed regression fails its test case."""
    tmp_path.joinpath("v.json").write_text(json.dumps([VERDICT]))
    forms = [word for form in FORMS[:4] for word in (f"--{form}", f"out.{form}")]
    assert call("report", "--ab", "v.json", *forms).returncode == 0
    (failure,) = ET.parse(tmp_path / "out.junit").findall(".//failure")  # noqa: S314
    assert failure.get("message") == "slower, 1.143 [1.131, 1.155]"
    assert "1 slower" in tmp_path.joinpath("out.md").read_text()


@pytest.mark.usefixtures("measured")
def test_the_step_summary(call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is added to what the step wrote before."""
    path = tmp_path / "summary.md"
    path.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    assert call("report", "--github").returncode == 0
    assert path.read_text(encoding="utf-8").startswith("before\n## opperf: run ")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", os.fspath(tmp_path))
    found = call("report", "--github")
    assert (found.returncode, len(told(found.stderr))) == (2, 1)


def test_a_stored_comparison(call: Any, tmp_path: Path) -> None:
    """Its page has what fails with the command for it, and the environments of its arms."""
    shutil.copytree(RECORDED, tmp_path / "runs" / "ab")
    arms = tmp_path / "runs" / "ab" / "arms.json"
    arms.write_text(json.dumps({"a": {"cpu": "One"}, "b": {"cpu": "Other"}}))
    assert call("report", "runs/ab", "--html", "out.html").returncode == 0
    page = tmp_path.joinpath("out.html").read_text(encoding="utf-8")
    (data,) = re.findall(r'<script id="report" type="application/json">(.*?)</script>', page)
    report = json.loads(data)
    assert report["environment"]["rows"] == [["cpu", "One", "Other"]]
    assert [report["verdicts"][f["row"]]["operator"] for f in report["failures"]] == [
        "Sqrt", "Square",
    ]  # fmt: skip
    assert report["failures"][0]["command"].startswith("opperf ab --a . --b PYTHONPATH=slower -k")
    arms.write_text("{")
    found = call("report", "runs/ab", "--html", "out.html", "--force")
    assert (found.returncode, len(told(found.stderr))) == (2, 1)
    assert "arms.json is damaged: " in found.stderr

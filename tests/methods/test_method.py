"""Methods as they run: each in a process and a folder of its own, its record and its summary."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli.command import command
from opperf.cli.parser import make_parser
from opperf.storing import read

if TYPE_CHECKING:
    from collections.abc import Callable

KEYS = {
    "ml_framework_info": {"version", "name", "build_label", "build_version"},
    "benchmark_info": {
        "output_url", "has_exception", "site_package_info", "harness_name", "harness_info",
        "execution_label",
    },
    "system_info": {
        "system_name", "accelerator_count", "physical_cpu_count", "logical_cpu_count",
        "cpu_socket_count", "platform_name", "accelerator_model", "accelerator_driver_version",
        "cpu_model",
    },
    "process_info": {"max_rss", "max_vms", "max_cpu_percent"},
    "benchmark_result": {"metrics", "name", "succeeded", "wall_time"},
}  # fmt: skip
"""Of the example in PerfZero's own document."""


def test_a_report_becomes_a_record(method: Callable[..., Any]) -> None:
    """Of the kind `method`: seconds of an iteration, its metrics, then what the process took."""
    code, found, err, (result,) = method("own.Fine.benchmark_report")
    assert code == 0, err
    assert (result.subject.kind, result.subject.name) == ("method", "own.Fine.benchmark_report")
    assert (result.status, result.seconds, result.samples.iterations) == ("ok", 0.5, 4)
    assert result.metrics[0].name == "loss"
    assert result.metrics[0].value == 0.25
    rss = next(metric for metric in result.metrics if metric.name == "rss_peak")
    assert rss.value > 0
    assert found[result.subject.name]["benchmark_result"]["wall_time"] == 2.0


def test_the_summary_has_every_key_of_the_document(
    method: Callable[..., Any], folder: Path
) -> None:
    """On stdout, in a file of its own, and at the end of the log."""
    labels = ["execution", "system", "platform", "build"]
    ends = ("label", "name", "name", "label")
    flags = [f"--{each}-{end}={each}" for each, end in zip(labels, ends, strict=True)]
    _, found, _, _ = method("own.Fine.benchmark_report", *flags)
    (summary,) = found.values()
    assert {*summary} == {*KEYS, "execution_timestamp", "execution_id"}
    assert {name: {*summary[name]} for name in KEYS} == KEYS
    assert {*summary["benchmark_info"]["harness_info"]} == {"url", "branch", "hash"}
    said = [
        summary["benchmark_info"]["execution_label"], summary["system_info"]["system_name"],
        summary["system_info"]["platform_name"], summary["ml_framework_info"]["build_label"],
    ]  # fmt: skip
    assert said == labels
    assert re.fullmatch(r"\d{4}(-\d{2}){5}-\d{6}", summary["execution_id"])
    (place,) = folder.glob("runs/*/output/*")
    assert place.name == summary["execution_id"]
    assert summary["benchmark_info"]["output_url"] == place.as_uri()
    assert json.loads((place / "summary.json").read_text()) == summary
    log = (place / "perfzero.log").read_text()
    assert json.loads(log.partition("summary:\n")[2]) == summary


def test_a_metric_beyond_its_bounds_fails(method: Callable[..., Any]) -> None:
    """The document's own example: 80, where 90 is the least."""
    code, found, err, (result,) = method("own.Bad.example")
    assert code == 11
    assert result.status == "wrong_result"
    assert result.reason == "accuracy_top_5 is 80, must be at least 90"
    assert result.reason in err
    summary = found["own.Bad.example"]
    assert summary["benchmark_info"]["has_exception"] is False
    assert summary["benchmark_result"]["succeeded"] is False
    assert summary["benchmark_result"]["metrics"] == [
        {
            "name": "accuracy_top_5", "value": 80.0, "min_value": 90.0, "max_value": 99.0,
            "succeeded": False,
        },
        {"name": "accuracy_top_1", "value": 99.5},
    ]  # fmt: skip
    first = result.metrics[0]
    assert (first.min_value, first.max_value) == (90.0, 99.0)
    assert "min_value" not in result.metrics[1].to_mapping()


def test_a_metric_that_is_no_number_fails(method: Callable[..., Any]) -> None:
    """Whether it has bounds or not; JSON has null for it."""
    code, found, _, (result,) = method("own.Bad.nan")
    assert (code, result.status, result.reason) == (11, "wrong_result", "loss is nan")
    about = found["own.Bad.nan"]["benchmark_result"]
    assert about["succeeded"] is False
    assert about["metrics"] == [{"name": "loss", "value": None, "succeeded": False}]


def test_methods_stand_beside_operators(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a store, in history and changes, in comparisons of runs, and on the page."""
    monkeypatch.setenv("COLUMNS", "200")
    name = "own.Fine.benchmark_report"
    assert command(["db", "init", "--store", "results.db"], None) == 0
    for _ in range(2):
        assert command(["method", name, "--store", "results.db", "--quiet"], None) == 0
    capsys.readouterr()
    found = {}
    for words in (
        ["history", name, "--store", "results.db"],
        ["changes", "--store", "results.db"],
        ["compare", *(path.name for path in sorted(folder.glob("runs/*")))],
        ["report", "last", "--html", "page.html"],
    ):
        code = command(words, None)
        captured = capsys.readouterr()
        assert code in {0, 13}, captured.err
        found[words[0]] = captured.out
    assert name in found["history"]
    assert "500 ms" in found["history"]
    assert name in found["compare"]
    assert name in (folder / "page.html").read_text()


def test_a_method_that_reports_nothing_fails(method: Callable[..., Any]) -> None:
    """Its wall time is then -1, though nothing was raised."""
    code, found, err, (result,) = method("own.Fine.benchmark_silent")
    assert (code, result.status) == (11, "failed")
    assert "report_benchmark() was not called" in err
    summary = found["own.Fine.benchmark_silent"]
    assert summary["benchmark_info"]["has_exception"] is False
    about = summary["benchmark_result"]
    assert (about["wall_time"], about["succeeded"], about["metrics"]) == (-1, False, [])


def test_a_report_may_have_no_time(method: Callable[..., Any]) -> None:
    """The wall time is -1 as well, and the method has succeeded."""
    code, found, err, (result,) = method("own.Fine.benchmark_untimed")
    assert (code, result.status) == (0, "no_time")
    assert "was told no wall_time" in err
    about = found["own.Fine.benchmark_untimed"]["benchmark_result"]
    assert (about["wall_time"], about["succeeded"]) == (-1, True)


def test_methods_are_named_as_the_document_does(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By a flag, several times; stdout then has the summaries, and nothing else."""
    flags = [
        "--benchmark_methods=own.Fine.benchmark_report",
        "--benchmark_methods=own.Fine.benchmark_untimed",
        "--root_data_dir=/d", "--python_path=pack,.", "--execution_label=e", "--system_name=s",
        "--platform_name=p", "--ml_framework_build_label=b",
    ]  # fmt: skip
    assert command(["method", *flags], None) == 0
    text = capsys.readouterr().out
    found = []
    while text.strip():
        one, end = json.JSONDecoder().raw_decode(text.strip())
        found.append(one)
        text = text.strip()[end:]
    assert [each["benchmark_result"]["name"] for each in found] == [
        "own.Fine.benchmark_report", "own.Fine.benchmark_untimed",
    ]  # fmt: skip
    labels = [
        found[0]["benchmark_info"]["execution_label"], found[0]["system_info"]["system_name"],
        found[0]["system_info"]["platform_name"], found[0]["ml_framework_info"]["build_label"],
    ]  # fmt: skip
    assert labels == ["e", "s", "p", "b"]
    assert len([*folder.glob("runs/*/output/*/summary.json")]) == 2


def test_no_method_is_a_wrong_request(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In one line that says how one is named."""
    assert command(["method"], None) == 2
    assert "--benchmark_methods=NAME" in capsys.readouterr().err
    assert not (folder / "runs").exists()


@pytest.mark.parametrize(
    ("name", "status", "said", "seconds"),
    [
        ("raises", "failed", "it raised ValueError: no such thing (own.py:", 1.0),
        ("exits", "failed", "it ended with status 9", -1),
        ("leaves", "failed", "its process ended with status 0 before it did", -1),
        ("crashes", "crashed", "it was ended by SIGSEGV", 1.0),
        ("ends_itself", "failed", "it ended itself with status 3", -1),
        ("wrong_report", "failed", "wall_time='1 s': must be a number or None", -1),
    ],
)
def test_whatever_becomes_of_a_method_the_next_one_runs(
    method: Callable[..., Any], name: str, status: str, said: str, seconds: float
) -> None:
    """With a record and a summary of each; what it had reported until then is in it."""
    names = f"own.Bad.{name},own.Fine.benchmark_report"
    code, found, _, (bad, good) = method(names)
    assert code == 11
    assert (bad.status, good.status) == (status, "ok")
    assert said in bad.reason
    summary = found[f"own.Bad.{name}"]
    assert summary["benchmark_info"]["has_exception"] is True
    assert summary["benchmark_result"]["succeeded"] is False
    assert summary["benchmark_result"]["wall_time"] == seconds


def test_a_method_that_hangs_is_ended(method: Callable[..., Any]) -> None:
    """After the time that it has; its exit code says so."""
    code, found, _, (result,) = method("own.Bad.hangs", "--time-limit", "1s")
    assert (code, result.status) == (11, "timeout")
    assert "no end within 1.00 s" in result.reason
    assert found["own.Bad.hangs"]["benchmark_info"]["has_exception"] is True


def test_an_interrupted_method_leaves_what_came_before(folder: Path) -> None:
    """With 130, and nothing of it left running; methods that had ended keep their records."""
    words = ["method", "own.Fine.benchmark_report,own.Bad.hangs"]
    with subprocess.Popen(
        [sys.executable, "-m", "opperf", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        for line in process.stderr:
            if "own.Bad.hangs: running" in line:
                break
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 130, err
    assert "interrupted; nothing of own.Bad.hangs is left running" in err
    assert json.loads(out)["benchmark_result"]["name"] == "own.Fine.benchmark_report"
    (journal,) = folder.glob("runs/*/results.jsonl")
    assert [result.status for result in read(journal).results] == ["ok"]


def test_each_method_has_a_folder_of_its_own(method: Callable[..., Any], folder: Path) -> None:
    """Named to its constructor with that of the data; --output-dir says where they are made."""
    method("own.Fine.benchmark_folders,own.Fine.benchmark_report", "--output-dir", "there")
    with_file, without = sorted((folder / "there").iterdir())
    assert (with_file / "made").is_file()
    assert not (without / "made").exists()
    assert "data: /d\n" in (with_file / "perfzero.log").read_text()


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("Older.benchmark_added", "/d', []]"),
        ("Forwarding.benchmark_added", "/d', []]"),
        ("Reporting.benchmark", "named: /d True"),
    ],
)
def test_both_spellings_of_a_constructor_are_served(
    method: Callable[..., Any], folder: Path, name: str, printed: str
) -> None:
    """Also where one class hands its arguments to another, and a report to the one above."""
    code, _, err, (result,) = method(f"pack.foreign.{name}")
    assert code == 0, err
    (log,) = folder.glob("runs/*/output/*/perfzero.log")
    assert printed in log.read_text()
    names = [metric.name for metric in result.metrics][:2]
    assert names == ["own", "added"] or name.startswith("Reporting")


def test_a_class_of_another_base_is_served(method: Callable[..., Any]) -> None:
    """Its base's own report is not made, whose arguments stand in another order."""
    code, found, _, (result,) = method("pack.foreign.Plain.benchmark_by_position")
    assert code == 11
    assert result.reason == "test did not succeed"
    metrics = {metric.name: metric.value for metric in result.metrics[:3]}
    assert metrics == {"speed": 3.5, "test": 1.0, "cpu_time": 0.5}
    (summary,) = found.values()
    assert summary["benchmark_result"]["wall_time"] == 2.0


def test_what_ran_is_a_run_as_any_other(
    method: Callable[..., Any], capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """It can be shown; it cannot be resumed, which one line says."""
    method("own.Fine.benchmark_report,own.Bad.example", "--tag", "nightly", "--env", "A=1")
    (path,) = folder.glob("runs/*/run.json")
    manifest = json.loads(path.read_text())
    assert (manifest["kind"], manifest["variables"]) == ("method", {"A": "1"})
    assert manifest["methods"] == ["own.Fine.benchmark_report", "own.Bad.example"]
    assert command(["show", "last", "--format", "json"], None) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [row["operator"] for row in shown] == manifest["methods"]
    assert command(["resume", "last"], None) == 2
    assert "begins anew: opperf method" in capsys.readouterr().err


def test_people_get_a_table(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row a method, with its bounds."""
    monkeypatch.setenv("COLUMNS", "160")
    arguments = ["own.Bad.example", "own.Fine.benchmark_silent", "--quiet", "--format", "table"]
    assert command(["method", *arguments], None) == 11
    head, bad, silent = capsys.readouterr().out.splitlines()
    assert head.split() == ["method", "status", "iters", "wall_time", "[s]", "metrics"]
    assert "accuracy_top_5 80 (at least 90, at most 99), accuracy_top_1 99.5" in bad
    assert silent.split() == ["own.Fine.benchmark_silent", "failed", "-", "-1", "-"]
    assert (folder / "runs").is_dir()


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--python-path", "nowhere"], "--python-path nowhere: there is no such directory"),
        (["--time-limit", "soon"], "soon"),
        (["--env", "A"], "must be NAME=value"),
    ],
)
def test_a_wrong_flag_is_one_line(
    flags: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is imported."""
    assert command(["method", "own.Fine.benchmark_report", *flags], None) == 2
    assert said in capsys.readouterr().err
    assert not (folder / "runs").exists()


def test_folders_of_modules_come_first(method: Callable[..., Any], folder: Path) -> None:
    """Of two modules with one name, that of --python-path is taken."""
    other = folder / "other"
    other.mkdir()
    text = Path("own.py").read_text().replace("wall_time=2.0", "wall_time=8.0")
    (other / "own.py").write_text(text)
    _, found, _, _ = method("own.Fine.benchmark_report", "--python-path", "other")
    assert found["own.Fine.benchmark_report"]["benchmark_result"]["wall_time"] == 8.0


def test_debug_shows_what_happens(method: Callable[..., Any], folder: Path) -> None:
    """On stderr, as it happens; otherwise what is logged from INFO on is in the log."""
    _, _, err, _ = method("own.Bad.logs")
    (first,) = folder.glob("runs/*/output/*/perfzero.log")
    assert "INFO own: a step" in first.read_text()
    assert "a detail" not in first.read_text()
    assert "a step" not in err
    _, _, err, _ = method("own.Bad.logs", "--debug")
    (second,) = {*folder.glob("runs/*/output/*/perfzero.log")} - {first}
    assert "DEBUG root: a detail" in second.read_text()
    assert "| " in err
    assert "DEBUG root: a detail" in err
    assert "\033" not in err
    assert f"debug: python {sys.executable}, " in err
    assert "end 0, samples " in err


def test_help_names_every_flag_with_its_default(capsys: pytest.CaptureFixture[str]) -> None:
    """All that the document has, and what is taken without it."""
    with pytest.raises(SystemExit) as ended:
        command(["method", "--help"], None)
    assert ended.value.code == 0
    text = " ".join(capsys.readouterr().out.split())
    for flag in (
        "--benchmark_methods", "--python_path", "--root_data_dir", "--profiler_enabled_time",
        "--debug", "--execution_label", "--system_name", "--platform_name",
        "--ml_framework_build_label",
    ):  # fmt: skip
        assert flag in text
    actions = [
        action
        for action in make_parser("method")._subparsers._group_actions[0].choices["method"]._actions
        if action.option_strings and action.nargs != 0
    ]
    lacking = [
        action.option_strings[0]
        for action in actions
        if "default:" not in (action.help or "") and not isinstance(action.default, list)
    ]
    assert lacking == []

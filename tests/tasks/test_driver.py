"""Script tasks as a user runs them: the driver of the document, and `opperf task`."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.results.json_schema import record_schema
from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path

KEYS = {
    "speed", "training_acc", "validation_acc", "total_training_time", "cpu_memory_usage",
    "gpu_memory_usage_max", "gpu_memory_usage_mean", "gpu_memory_usage_std",
}  # fmt: skip
TASK = "resnet50_cifar10_imperative"
Driver = Callable[..., Any]
WriteSection = Callable[..., None]


SHELL = {"shell": "yes"}


def flat(place: Path) -> dict[str, Any]:
    """Return the file of metrics, which has no NaN."""
    text = (place / "dlbenchmark_result.json").read_text()
    found: dict[str, Any] = json.loads(text, parse_constant=pytest.fail)
    return found


def test_the_documents_section(driver: Driver, place: Path, opperf: Any) -> None:
    """Its keys exactly, its values to the last digit, another number of GPUs, no log left."""
    found = driver("--task-name", TASK, "--num-gpus", "2")
    assert found.returncode == 0, found.stderr
    values = flat(place)
    assert {*values} == {f"{TASK}.{key}" for key in KEYS}
    assert values[f"{TASK}.speed"] == 823.0371279999999
    assert values[f"{TASK}.training_acc"] == 0.351983
    assert values[f"{TASK}.validation_acc"] == 0.393930
    assert values[f"{TASK}.total_training_time"] == 130.2971
    assert isinstance(values[f"{TASK}.cpu_memory_usage"], int)
    assert values[f"{TASK}.cpu_memory_usage"] > 0
    words = (place / "argv").read_text()
    expected = "--model resnet50_v1 --dataset cifar10 --gpus 2 --epochs 20 --log-interval 50"
    assert words == expected
    (run,) = opperf.runs()
    assert {path.name for path in run.iterdir()} == {"run.json", "results.jsonl"}


def test_names_are_decorated(driver: Driver, place: Path) -> None:
    """By the framework before, and the suffix behind."""
    found = driver("--task-name", TASK, "--framework", "mxnet", "--metrics-suffix", "p3")
    assert found.returncode == 0, found.stderr
    assert {*flat(place)} == {f"mxnet.{TASK}.{key}.p3" for key in KEYS}


def test_tasks_are_listed(driver: Driver, opperf: Any) -> None:
    """By the driver and by the verb."""
    found = driver("--list-tasks", "--format", "json")
    assert found.returncode == 0, found.stderr
    (row,) = json.loads(found.stdout)
    assert (row["task"], row["num_gpus"], row["fault"]) == (TASK, "8", None)
    assert opperf.run("task", "--list-tasks", "--format", "json").stdout == found.stdout
    assert not opperf.runs()


@pytest.mark.usefixtures("place")
def test_the_record_is_one_of_a_task(opperf: Any) -> None:
    """Of the kind `task`, as the published schema has it."""
    import jsonschema

    found = opperf.run("task", TASK, "--tag", "night")
    assert found.returncode == 0, found.stderr
    (record,) = opperf.records()
    jsonschema.validate(record, record_schema())
    assert record["subject"] == {"kind": "task", "name": TASK}
    assert record["status"] == "ok"
    assert record["tags"] == ["night"]
    metrics = {metric["name"]: metric for metric in record["metrics"]}
    assert metrics["speed"]["value"] == 823.0371279999999
    assert metrics["rss_peak"]["unit"] == "B"
    assert metrics["gpu_memory_max"]["value"] is None
    assert metrics["gpu_memory_max"]["reason"]


def test_sessions_have_an_interval(section: WriteSection, place: Path, opperf: Any) -> None:
    """Over runs: each metric is a mean within its interval."""
    (place / "n").write_text("0")
    code = "n = int(open('n').read()) + 1; open('n', 'w').write(str(n)); print(f'v={n}')"
    section(f'python -c "{code}"')
    found = opperf.run("task", "t", "--sessions", "3")
    assert found.returncode == 0, found.stderr
    (record,) = opperf.records()
    metrics = {metric["name"]: metric for metric in record["metrics"]}
    assert metrics["v"]["value"] == 2.0
    low, high = metrics["v"]["interval"]
    assert (round(low, 3), round(high, 3)) == (-0.484, 4.484)  # 2 +- 4.303 / sqrt(3)
    assert flat(place)["t.v"] == 2.0
    assert len(record["samples"]["seconds"]) == record["summary"]["n"] == 3
    low, high = record["summary"]["interval"]
    assert low < record["summary"]["mean"] < high


@pytest.mark.parametrize(
    ("command", "status", "reason"),
    [
        ("exit 3", "failed", "it ended with status 3"),
        ("kill -9 $$", "crashed", "it was ended by SIGKILL"),
        ("echo nothing", "failed", r"metric 'v': pattern 'v=(\\S+)' found nothing in the log"),
        ("echo v=nan", "failed", r"metric 'v': pattern 'v=(\\S+)' found nan"),
        ("echo v=0.1; echo v=0.2", "wrong_result", "v is 0.2, below its min 0.5"),
        ("echo v=7", "wrong_result", "v is 7, above its max 1"),
    ],
)
def test_a_failure_keeps_its_log(
    command: str, status: str, reason: str, section: WriteSection, place: Path, opperf: Any
) -> None:
    """It ends with 11, says why in one line and where the log is."""
    bounds = {"min": "['v=0.5']", "max": "['v=1', 'time=1e5']"}
    section(f"echo before; {command}", **SHELL, **bounds)
    (place / "dlbenchmark_result.json").write_text('{"t.v": 1.0}')
    found = opperf.run("task", "t")
    assert found.returncode == 11
    line = next(line for line in told(found.stderr) if f"t: {status}: " in line)
    assert f"t: {status}: {reason}; log: " in line
    log = place / line.partition("; log: ")[2]
    assert log.read_text().startswith("before\n")
    (record,) = opperf.records()
    assert (record["status"], record["reason"]) == (status, reason)
    assert record["summary"] is None
    assert (place / "dlbenchmark_result.json").exists() == (status == "wrong_result")
    assert opperf.run("task", "t", "--exit-zero", "--quiet").returncode == 0


def test_a_time_out_leaves_nothing(section: WriteSection, opperf: Any) -> None:
    """What a task has started is gone, whatever session it is in."""
    section("setsid sleep 1000 & sleep 1001", **SHELL, timeout="1s")
    found = opperf.run("task", "t")
    assert found.returncode == 11
    assert "t: timeout: no end within 1.00 s" in found.stderr
    opperf.wait_for(lambda: not opperf.survivors())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupt_leaves_nothing(
    number: signal.Signals, section: WriteSection, place: Path, opperf: Any
) -> None:
    """Ctrl-C and what cannot be caught."""
    section("setsid sleep 1000 & touch begun; sleep 1001", **SHELL)
    started = opperf.start("task", "t")
    opperf.wait_for((place / "begun").exists)
    started.send_signal(number)
    _, said = started.communicate()
    opperf.wait_for(lambda: not opperf.survivors())
    if number == signal.SIGINT:
        assert started.returncode == 130
        assert "interrupted; nothing of t is left running; its log: " in said


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"pattern": "['a']"}, "unknown key 'pattern'; did you mean 'patterns'?"),
        ({"compute_method": "['averag']"}, "unknown word 'averag'; did you mean 'average'?"),
        ({"patterns": "['(a', '(b)']"}, "patterns: has 2 entries for 1 metrics"),
        ({"patterns": "['(a']"}, "pattern '(a': missing )"),
        ({"patterns": "['v=1']"}, "pattern 'v=1': has 0 groups"),
        ({"patterns": "[__import__('os').system('touch evil')]"}, "must be a list of quoted texts"),
        ({"metrics": "['time']"}, "'time' is measured of every task"),
        ({"metrics": "['a b']"}, "'a b' must be letters"),
        ({"min": "['w=1']"}, "unknown metric 'w'"),
        ({"max": "['v=high']"}, "'v=high' must be NAME=NUMBER"),
        ({"num_gpus": "many"}, "num_gpus: must be a whole number"),
        ({"timeout": "soon"}, "timeout: expected a time"),
        ({"environment": "['A B=1']"}, "environment: 'A B=1' must be NAME=value"),
        ({"command_to_execute": "echo 'a"}, "command_to_execute: No closing quotation"),
        ({"command_to_execute": "echo a | tee b"}, "'|' is a shell's; set shell = yes"),
        ({"shell": "maybe"}, "shell: must be yes or no"),
    ],
)
def test_a_wrong_section_is_refused_before_anything_starts(
    keys: dict[str, str], message: str, section: WriteSection, place: Path, opperf: Any
) -> None:
    """In one line that names file, task and key."""
    section(**{"command": "touch started"} | keys)
    found = opperf.run("task", "t")
    assert found.returncode == 2
    (line,) = told(found.stderr)
    assert line.startswith("opperf: task_config_template.cfg: task t: ")
    assert message in line
    assert not opperf.runs()
    assert not (place / "started").exists()
    assert not (place / "evil").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"[t]\n[t]\n", "section 't' already exists"),
        (b"nothing\n", "no section headers"),
        (b"\xff", "byte 0 is not UTF-8"),
        (b"[t]\na = 1\na = 2\n", "already exists"),
        (b"#" * 2**21, "larger than 1 MiB"),
        (b"[t]\n", "task t: lacks patterns, metrics, compute_method"),
    ],
)
def test_a_damaged_file_is_refused(text: bytes, message: str, place: Path, opperf: Any) -> None:
    """In one line."""
    (place / "task_config_template.cfg").write_bytes(text)
    found = opperf.run("task", "t")
    assert found.returncode == 2
    (line,) = told(found.stderr)
    assert message in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["task"], "name a task of task_config_template.cfg: resnet50"),
        (["task", "resnet"], "unknown task 'resnet'"),
        (["task", TASK, "--sessions", "0"], "--sessions 0: must be from 1"),
        (["task", TASK, "--num-gpus", "-1"], "--num-gpus -1: must be from 0"),
        (["task", TASK, "--framework", "a.b"], "--framework 'a.b': must be letters"),
        (["task", TASK, "--config", "nothing.cfg"], "No such file or directory; give one with --c"),
        (["task", TASK, "--output-file", "argv"], "exists and holds no task's metrics"),
        (["task", TASK, "--output-file", "no/x.json"], "there is no directory no"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str, place: Path, opperf: Any) -> None:
    """One line, and nothing is started."""
    (place / "argv").write_text("precious")
    found = opperf.run(*arguments)
    assert found.returncode == 2
    assert message in found.stderr
    assert len(told(found.stderr)) == 1
    assert (place / "argv").read_text() == "precious"


@pytest.mark.usefixtures("place")
def test_verbs_serve_a_task(opperf: Any, tmp_path: Path) -> None:
    """Showing, comparing, storing, history, changes and the page, as of an operator."""
    assert opperf.run("db", "init", "--store", "s.db").returncode == 0
    for _ in range(2):
        assert opperf.run("task", TASK, "--store", "s.db").returncode == 0
    first, second = (run.name for run in opperf.runs())
    assert TASK in opperf.run("show", "last").stdout
    found = opperf.run("show", "last", "--metrics", "speed,time", "--format", "json")
    assert json.loads(found.stdout)[0]["speed"] == 823.0371279999999
    found = opperf.run("compare", first, second, "--metric", "speed", "--format", "json")
    assert found.returncode == 0, found.stderr
    (row,) = json.loads(found.stdout)
    assert (row["operator"], row["ratio"]) == (TASK, 1.0)
    found = opperf.run("history", TASK, "--store", "s.db", "--metric", "speed", "--format", "json")
    assert found.returncode == 0, found.stderr
    assert len(json.loads(found.stdout)) == 2
    found = opperf.run("changes", "--store", "s.db", "--metric", "speed")
    assert found.returncode == 0, found.stderr
    found = opperf.run("report", "last", "--html", "page.html", "--junit", "j.xml")
    assert found.returncode == 0, found.stderr
    assert "training_acc" in (tmp_path / "page.html").read_text()
    found = opperf.run("resume", "last")
    assert found.returncode == 2
    assert re.search(r"is of a script task and begins anew: opperf task resnet50", found.stderr)

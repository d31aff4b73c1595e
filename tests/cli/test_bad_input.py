"""Requests that cannot be carried out: one line that says why, exit 2, and nothing is written."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from opperf.core.frameworks.registry import find_framework
from tests.conftest import told


def given(name: str, text: str) -> tuple[str, ...]:
    """Return the arguments that give an operator an input."""
    return ("-k", f"name={name}", "--framework", "numpy", "--input", text)


ADD = ("-k", "name=Add", "--framework", "numpy")
DOT = ("-k", "name=Dot", "--framework", "numpy")

UNKNOWN = {
    "operator": (("-k", "name=Addd"), "unknown operator 'Addd'; did you mean 'Add'? allowed: "),
    "one of several operators": (
        ("-k", "name in (Add, Dott)"),
        "unknown operator 'Dott'; did you mean 'Dot'? allowed: ",
    ),
    "category": (
        ("-k", "category=gemmm"),
        "unknown category 'gemmm'; did you mean 'gemm'? allowed: ",
    ),
    "direction": (
        ("-k", "direction=forwards"),
        "unknown direction 'forwards'; did you mean 'forward'? allowed: ",
    ),
    "input": (
        (*ADD, "--input", "lsh=(4,4)"),
        "unknown input 'lsh' of Add; did you mean 'lhs'? allowed: dtype, initializer, lhs, rhs, ",
    ),
    "attribute": (
        ("-k", "name=Sum", "--framework", "numpy", "--input", "axes=1"),
        "unknown input 'axes' of Sum; did you mean 'axis'? allowed: ",
    ),
    "initializer": (
        (*ADD, "--input", "initializer=norml"),
        "unknown initializer 'norml'; did you mean 'normal'? allowed: normal, uniform",
    ),
    "dtype": (
        (*ADD, "--dtype", "flaot32"),
        "unknown dtype 'flaot32' for Add; did you mean 'float32'? allowed: bfloat16, float16, ",
    ),
    "size": (
        (*ADD, "--size", "smal"),
        "unknown size 'smal'; did you mean 'small'? allowed: all, large, skewed, small, typical",
    ),
    "framework": (
        ("--framework", "pytorh"),
        "unknown framework 'pytorh'; did you mean 'pytorch'? allowed: mxnet, numpy, onnxruntime,",
    ),
    "device": ((*ADD, "--device", "gpuu"), "unknown device 'gpuu'; allowed: cpu, cuda:N, "),
    "second device": ((*ADD, "--device", "cpu,gpuu"), "unknown device 'gpuu'; allowed: cpu, cuda:"),
    "flag": (("--runz", "3"), "unrecognized arguments: --runz; did you mean --runs?"),
    "word": (("Cnv2D",), "unknown operator, category or tag 'Cnv2D'; did you mean 'Conv2D'? "),
    "word of two lines": (
        ("a\nb",),
        r"unknown operator, category or tag 'a\nb'; did you mean 'Abs'",
    ),
    "word beside calls": (("Add", "--calls", "x.json"), "Add: --calls has operators of its own; "),
    "form of output": (
        ("--output-format", "jsn"),
        "did you mean 'json'? allowed: bencher, chrome-trace, csv, github-action-benchmark, ",
    ),
}
"""What does not exist, and the line that says so, with the nearest match and what is allowed."""

IMPOSSIBLE = {
    "shapes": (
        (*ADD, "--input", "lhs=(3,4)", "--input", "rhs=(5,6)"),
        "Add: rhs=(5, 6): does not broadcast with lhs=(3, 4)",
    ),
    "inner dimensions": (
        (*DOT, "--input", "lhs=(3,4)", "--input", "rhs=(5,6)"),
        "Dot: rhs=(5, 6): ",
    ),
    "a zero": ((*ADD, "--input", "lhs=(0,4)"), "lhs=(0, 4): every dimension must be at least 1"),
    "a negative": ((*ADD, "--input", "lhs=(4,-1)"), "every dimension must be at least 1"),
    "a fraction": ((*ADD, "--input", "lhs=(4,1.5)"), "must be a shape, a tuple of whole numbers"),
    "a word": ((*ADD, "--input", "lhs=wide"), "lhs='wide': must be a shape"),
    "no literal": ((*ADD, "--input", "lhs={[]: 1}"), "lhs='{[]: 1}': must be a shape"),
    "no dimension": (given("GLU", "data=()"), "GLU: data=(): must have at least 1 dimension"),
    "33 dimensions": (
        given("Exp", f"data=({'1,' * 33})"),
        "has 33 dimensions; give 32 at the most",
    ),
    "30 digits": (given("TriuIndices", f"rows={'9' * 30}"), "must be a whole number below 2**63"),
    "an overflow": (given("ParetoRandom", "a=1e308"), "ParetoRandom: a=1e+308: nothing can be com"),
    "an underflow": (given("NegativeBinomialRandom", "p=1e-320"), "nearer to the defaults, p=0.5"),
    "many outputs": (given("Unbind", "data=(2147483648, 2)"), "must be from 1 to 65536"),
    "no value": ((*ADD, "--input", "lhs"), "--input 'lhs': must be NAME=VALUE"),
    "memory": (
        (*ADD, "--input", "lhs=(1000000,1000000)", "--input", "rhs=(1000000,1000000)"),
        "Add: the inputs need about 120000000000000 bytes (120 TB)",
    ),
    "memory limit": (
        (*ADD, "--memory-limit", "1MB"),
        "float64 reference, 1000000 bytes (1.00 MB) are available; make them smaller",
    ),
    "runs": ((*ADD, "--runs", "0"), "runs (command line): expected an integer of at least 1, not"),
    "threads": ((*ADD, "--threads", "0"), "threads (command line): expected an integer of at"),
    "warm-up": ((*ADD, "--warmup", "-1"), "warmup (command line): expected an integer of at least"),
    "precision": ((*ADD, "--precision", "2"), "precision (command line): expected a share above"),
    "time-out": ((*ADD, "--timeout", "0"), "timeout (command line): expected a time above 0"),
    "budget": ((*ADD, "--budget", "soon"), "budget (command line): expected a time above 0"),
    "memory's unit": ((*ADD, "--memory-limit", "1 GX"), "memory_limit (command line): expected a"),
    "a secret": ((*ADD, "--env", "API_TOKEN=x"), "--env API_TOKEN: looks like a secret"),
    "a variable": ((*ADD, "--env", "1A"), "--env '1A': must be NAME=value"),
    "quick and precise": ((*ADD, "--quick", "--precise"), "not allowed with argument --quick"),
    "no file": ((*ADD, "--output-format", "csv"), "--output-format needs --output-file FILE"),
    "gpu of numpy": ((*ADD, "--device", "cuda:0"), "unknown device 'cuda:0' for numpy"),
}
"""What exists, but not like this."""


def refused(run: Any, message: str, folder: Path) -> None:
    """Check that a command ended in one line and left nothing behind."""
    assert run.returncode == 2, run.stderr
    (line,) = told(run.stderr)
    assert message in line
    assert line.startswith("opperf")
    assert run.stdout == ""
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("what", UNKNOWN)
def test_what_does_not_exist_is_refused_with_the_nearest_match(
    call: Any, tmp_path: Path, what: str
) -> None:
    """The line names the value, the nearest match where one is near, and all that is allowed."""
    arguments, message = UNKNOWN[what]
    refused(call("run", *arguments), message, tmp_path)


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_what_cannot_be_is_refused(call: Any, tmp_path: Path, what: str) -> None:
    """The line names the value and the rule that it breaks."""
    arguments, message = IMPOSSIBLE[what]
    refused(call("run", *arguments), message, tmp_path)


def test_a_process_refuses_as_well(opperf: Any, tmp_path: Path) -> None:
    """What holds in this process holds for one that a user starts, by either name."""
    arguments, message = UNKNOWN["operator"]
    refused(opperf.run("run", *arguments), message, tmp_path)
    driver = str(Path(__file__).parents[2] / "benchmark_driver.py")
    refused(opperf.execute([sys.executable, driver, *arguments]), message, tmp_path)


@pytest.mark.parametrize(
    ("framework", "flags"),
    [
        ("pytorch", ("--device", "cuda:7")),
        ("pytorch", ("--device", "cpu,cuda:7")),
        ("mxnet", ("--ctx", "gpu(7)")),
    ],
)
def test_a_missing_gpu_is_refused(opperf: Any, framework: str, flags: tuple[str, ...]) -> None:
    """It says how many there are; nothing is measured on the CPU in its place, nor beside it.

    The older spelling means the same.
    """
    if not find_framework(framework).is_installed():
        pytest.skip(f"{framework} is not installed")
    run = opperf.run("run", "-k", "name=Add", "--framework", framework, *flags)
    refused(run, "device 'cuda:7': ", opperf.directory)
    assert " found" in run.stderr


@pytest.mark.parametrize(
    ("filter_text", "place", "expected"),
    [
        ("name=Add and and", 13, "cannot parse filter: expected a word, a field, 'not' or '(', "),
        ("nam=Add", 0, "unknown filter field 'nam'; did you mean 'name'? allowed: category, "),
        ("(name=Add", 9, "cannot parse filter: expected ')', found the end"),
    ],
)
def test_a_filter_that_cannot_be_parsed_has_a_caret(
    call: Any, tmp_path: Path, filter_text: str, place: int, expected: str
) -> None:
    """Three lines: what was expected, the filter, and where."""
    run = call("run", "-k", filter_text)
    assert run.returncode == 2
    message, text, caret = told(run.stderr)
    assert message.startswith(f"opperf: {expected}")
    assert (text, caret) == (f"  {filter_text}", f"  {' ' * place}^")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("there.json", "exists; give --force to replace it"),
        ("missing/new.json", "there is no directory"),
        (".", "is a directory"),
        ("/proc/new.json", "/proc/new.json: "),
        ("/dev/null", "is a device or a pipe; give a file"),
    ],
)
def test_an_output_that_cannot_be_written_is_refused(
    call: Any, tmp_path: Path, name: str, message: str
) -> None:
    """Before anything is measured; what is there stays as it is."""
    there = tmp_path / "there.json"
    there.write_text("mine")
    run = call("run", *ADD, "--size", "small", "--runs", "6", "--output-file", name)
    assert run.returncode == 2
    (line,) = told(run.stderr)
    assert message in line
    assert [path.name for path in tmp_path.iterdir()] == ["there.json"]
    assert there.read_text() == "mine"


def test_a_runs_folder_that_cannot_be_written_is_refused(call: Any, tmp_path: Path) -> None:
    """With the option that names another."""
    tmp_path.joinpath("file").touch()
    run = call("run", *ADD, "--size", "small", "--runs-dir", "file/runs")
    assert run.returncode == 2
    assert "set runs_dir to a directory that can be written" in told(run.stderr)[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("runn",),
            "unknown value 'runn'; did you mean 'run'? allowed: ab, baseline, bisect, ",
        ),
        ((), "the following arguments are required: VERB"),
        (("show", "20200101T000000-000000"), "there are no runs in runs: `opperf run` first"),
        (("resume", "last"), "unknown run 'last'; there are no runs in runs"),
        (("list", "-k", "name=Addd"), "did you mean 'Add'?"),
        (("env", "--framework", "mxnett"), "unknown framework 'mxnett'; did you mean 'mxnet'?"),
        (("schema", "resul"), "did you mean 'result'? allowed: calls, result"),
    ],
)
def test_the_other_verbs_refuse_likewise(
    call: Any, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    """The same line, the same exit code, and nothing written."""
    refused(call(*arguments), message, tmp_path)


@pytest.mark.parametrize("name", ["opperf.toml", "pyproject.toml"])
def test_a_configuration_may_come_from_an_editor_of_windows(
    call: Any, tmp_path: Path, name: str
) -> None:
    """Its line ends and the mark at its beginning are no part of any value."""
    head = "[tool.opperf]\n" if name == "pyproject.toml" else ""
    text = f'{head}# small\nsize = "small"\nframework = [\n  "numpy",\n]\nbudget = "0.2s"\n'
    tmp_path.joinpath(name).write_bytes(text.replace("\n", "\r\n").encode("utf-8-sig"))
    done = call("config", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    found = {row["option"]: row["value"] for row in json.loads(done.stdout)}
    assert (found["size"], found["framework"], found["budget"]) == ("small", "numpy", "0.2")


HOSTILE = "x\x1b]0;owned\x07\x1b[31m\u202e" + "y" * 5000


@pytest.mark.parametrize(
    "words",
    [
        ("show", HOSTILE),
        ("compare", HOSTILE, "last"),
        ("import", HOSTILE, "--store", HOSTILE),
        ("baseline", "set", "last", "--name", HOSTILE, "--store", "results.db"),
        ("baseline", "show", "--name", HOSTILE, "--store", "results.db"),
        ("ab", "--a", ".", "--b", HOSTILE),
        ("run", "-k", f"name='{HOSTILE}'"),
        ("run", "--framework", HOSTILE),
        ("run", f"--{HOSTILE}"),
        ("report", "--ab", HOSTILE, "--csv", "out.csv"),
        ("history", HOSTILE, "--store", "results.db"),
    ],
    ids=lambda words: " ".join(words)[:14],
)
def test_no_error_carries_what_a_terminal_obeys(call: Any, words: tuple[str, ...]) -> None:
    """Whatever was named is quoted without control characters, and not at its full length."""
    call("db", "init", "--store", "results.db")
    found = call(*words)
    assert found.returncode == 2
    assert "\x1b" not in found.stderr
    assert "\u202e" not in found.stderr
    assert max(map(len, told(found.stderr))) < 1100

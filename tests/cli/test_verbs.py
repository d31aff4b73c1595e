"""list, config, env and schema, and the two names of the command line."""

from __future__ import annotations

import csv
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from opperf import __version__
from opperf.cli.parser import VERBS
from opperf.core.frameworks.registry import find_framework

DRIVER = str(Path(__file__).parents[2] / "benchmark_driver.py")
DIRECTIONS = ["forward", "forward_recorded", "backward", "forward_backward"]
SIZES = ["small", "typical", "large", "skewed"]


def test_the_list_as_json(call: Any) -> None:
    """An array of operators with sizes, directions, and "ok" or the reason for each framework."""
    operators = json.loads(call("list", "--format", "json").stdout)
    rows = {row["name"]: row for row in operators}
    assert len(rows) == len(operators)
    add = rows["Add"]
    assert add["category"] == "arithmetic"
    assert add["sizes"] == SIZES
    assert add["directions"] == DIRECTIONS
    assert add["frameworks"] == dict.fromkeys(("mxnet", "pytorch", "numpy", "onnxruntime"), "ok")
    assert rows["TopK"]["directions"]
    assert rows["IMul"]["directions"] == ["forward"]
    reasons = {reason for row in operators for reason in row["frameworks"].values()}
    assert all(isinstance(reason, str) and reason for reason in reasons)


@pytest.mark.parametrize("form", ["table", "md", "csv"])
def test_the_list_in_other_forms(call: Any, form: str) -> None:
    """A line an operator, filtered as a run is."""
    run = call("list", "-k", "name in (Add, Dot)", "--format", form)
    assert run.returncode == 0
    lines = run.stdout.splitlines()
    assert len([line for line in lines if "Add" in line or "Dot" in line]) == 2
    if form == "csv":
        assert {row["name"] for row in csv.DictReader(lines)} == {"Add", "Dot"}
    assert call("list", "-k", "nothing-like-this").returncode == 12


def test_the_list_imports_no_framework(opperf: Any) -> None:
    """It is known which callables there are without asking them."""
    program = (
        "import sys; from opperf.cli import main; main(['list', '-k', 'Add']); "
        "print(sorted({'mxnet', 'torch', 'pandas'} & set(sys.modules)))"
    )
    run = opperf.execute([sys.executable, "-c", program])
    assert run.stdout.splitlines()[-1] == "[]"


def test_a_plug_in_is_listed_like_the_rest(toy: Any) -> None:
    """Its framework is a column, its operators are rows, and built-in ones may be implemented."""
    rows = {row["name"]: row for row in json.loads(toy.run("list", "--format", "json").stdout)}
    assert rows["Double"]["frameworks"] == {
        "mxnet": "not implemented",
        "pytorch": "not implemented",
        "numpy": "ok",
        "onnxruntime": "not implemented",
        "toy": "ok",
    }
    assert rows["Add"]["frameworks"]["toy"] == "ok"
    assert rows["Exp"]["frameworks"]["toy"] == "not implemented"


def test_config_says_where_each_value_came_from(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Command line, then OPPERF_*, then opperf.toml, then pyproject.toml, then the default."""
    tmp_path.joinpath("opperf.toml").write_text('precision = 0.01\nsize = ["small", "large"]\n')
    tmp_path.joinpath("pyproject.toml").write_text(
        '[tool.opperf]\nprecision = 0.02\nseed = 7\nbudget = "2s"\n'
    )
    monkeypatch.setenv("OPPERF_SIZE", "skewed")
    monkeypatch.setenv("OPPERF_THREADS", "2")
    run = call("config", "--threads", "3", "--format", "json")
    assert run.returncode == 0
    found = {row["option"]: (row["value"], row["origin"]) for row in json.loads(run.stdout)}
    assert found["threads"] == ("3", "command line")
    assert found["size"] == ("skewed", "OPPERF_SIZE")
    assert found["precision"] == ("0.01", "opperf.toml")
    assert found["seed"] == ("7", "pyproject.toml")
    assert found["dtype"] == ("float32", "default")
    assert found["runs"] == (None, "default")


def test_settings_hold_for_runs(call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What config says is what a run does."""
    tmp_path.joinpath("opperf.toml").write_text('framework = "numpy"\nsize = "small"\nruns = 6\n')
    monkeypatch.setenv("OPPERF_RUNS_DIR", "elsewhere")
    assert call("run", "-k", "name=Exp").returncode == 0
    (journal,) = tmp_path.glob("elsewhere/*/results.jsonl")
    record = json.loads(journal.read_text())
    assert (record["operator"]["framework"], record["operator"]["size"]) == ("numpy", "small")
    assert record["summary"]["n"] == 6


def test_a_bad_setting_names_its_origin(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable and a file are refused like a flag."""
    monkeypatch.setenv("OPPERF_RUNS", "none")
    assert "runs (OPPERF_RUNS): expected an integer" in call("run", "-k", "name=Exp").stderr
    monkeypatch.delenv("OPPERF_RUNS")
    tmp_path.joinpath("opperf.toml").write_text("rums = 3\n")
    run = call("config")
    assert run.returncode == 2
    assert "unknown key 'rums' in opperf.toml; did you mean 'runs'?" in run.stderr


def test_env_is_what_records_carry(call: Any) -> None:
    """The facts of this machine without a framework; with one, those of a child that loaded it."""
    facts = json.loads(call("env", "--format", "json").stdout)
    assert facts["framework"] is None
    assert facts["machine_key"]
    found = json.loads(call("env", "--framework", "numpy", "--format", "json").stdout)
    assert found["numpy"]["framework"] == "numpy"
    assert found["numpy"]["machine_key"] == facts["machine_key"]
    table = call("env", "--framework", "numpy").stdout
    assert "machine_key" in table


def test_the_version(opperf: Any) -> None:
    """By the module's name and by the driver's."""
    assert opperf.run("--version").stdout == f"opperf {__version__}\n"
    assert opperf.execute([sys.executable, DRIVER, "--version"]).stdout == f"opperf {__version__}\n"


def test_the_driver_runs_by_default(opperf: Any) -> None:
    """Flags alone mean `run`; the older spelling of a device is understood."""
    command = [sys.executable, DRIVER, "--ctx", "cpu", "--framework", "numpy", "-k", "name=Exp"]
    run = opperf.execute([*command, "--size", "small", "--runs", "6"])
    assert run.returncode == 0
    assert opperf.rows() == [("Exp", "small", "forward")]
    assert opperf.records()[0]["command"].startswith("opperf run --ctx cpu ")


def test_the_driver_has_all_verbs(opperf: Any) -> None:
    """Its help is that of opperf, and so is any other verb; importing it runs nothing."""
    helped = opperf.execute([sys.executable, DRIVER, "--help"])
    assert helped.stdout == opperf.run("--help").stdout
    assert "exit codes: 0 fine" in helped.stdout
    listed = opperf.execute([sys.executable, DRIVER, "list", "-k", "name=Add", "--format", "csv"])
    assert listed.stdout.splitlines()[1].startswith("Add,")
    folder = os.path.dirname(DRIVER)  # noqa: PTH120 - for sys.path
    program = f"import sys; sys.path.insert(0, {folder!r}); import benchmark_driver"
    imported = opperf.execute([sys.executable, "-c", program])
    assert (imported.returncode, imported.stdout, imported.stderr) == (0, "", "")
    assert not list(opperf.directory.iterdir())


def test_without_any_framework_named_all_measured_ones_are(opperf: Any) -> None:
    """MXNet and PyTorch side by side, with their ratio; NumPy, the reference, only by name."""
    for name in ("mxnet", "pytorch"):
        if not find_framework(name).is_installed():
            pytest.skip(f"{name} is not installed")
    chosen = ("-k", "name=Exp and direction=forward", "--size", "small", "--runs", "6")
    run = opperf.run("run", *chosen)
    assert run.returncode == 0
    found = [r["operator"]["framework"] for r in opperf.records()]
    assert found == ["mxnet", "pytorch"]
    assert "ratio: pytorch / mxnet" in run.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(call: Any, verb: str) -> None:
    """Each prints its flags; a default with a percent sign is no format."""
    found = call(verb, "--help")
    assert found.returncode == 0
    assert found.stdout.startswith(f"usage: opperf {verb} ")

"""The workflows of docs/ci.md obey the schema, and their steps do what they are for."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

WORKFLOWS = ("nightly", "pull-request")
SMALLER = {
    "SELECTION": "name in (Exp, Sqrt)",
    "OPPERF_SIZE": "small",
    "OPPERF_FRAMEWORK": "numpy",
    "OPPERF_BUDGET": "0.01",
    "BUDGET": "1ms",
}
COMMANDS = {
    "nightly": ["opperf"],
    "pull-request": ["head/bin/opperf", "base/bin/python", "head/bin/python"],
}
"""What the step that is left out here would have installed."""
LEFT = {
    "nightly": {
        "report.html",
        "junit.xml",
        "results.csv",
        "timeline.json",
        "table.txt",
        "history.html",
        "changes.txt",
        "nightly.db",
    },
    "pull-request": {"report.html", "junit.xml", "verdicts.csv", "verdicts.json"},
}


def path_of(root: Path, name: str) -> Path:
    """Return a workflow's file."""
    return root / "docs" / "workflows" / f"{name}.yml"


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_obeys_the_schema(root: Path, name: str) -> None:
    """GitHub's schema of workflows, as check-jsonschema ships it."""
    schema = ["--builtin-schema", "vendor.github-workflows", str(path_of(root, name))]
    command = [sys.executable, "-m", "check_jsonschema", *schema]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def steps(root: Path, name: str) -> list[dict[str, Any]]:
    """Return the steps of a workflow's only job that run commands, but for the installation."""
    document = yaml.safe_load(path_of(root, name).read_text(encoding="utf-8"))
    (job,) = document["jobs"].values()
    return [step for step in job["steps"] if "run" in step and step["name"] != "Install"]


class Runner:
    """A folder in which steps are carried out as GitHub does it, with fewer operators."""

    def __init__(self, folder: Path, commands: list[str], root: Path) -> None:
        self.folder = folder
        for command in commands:
            path = folder / "bin" / command if command == "opperf" else folder / command
            path.parent.mkdir(parents=True, exist_ok=True)
            program = "" if path.name == "python" else "-m opperf"
            path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {program} "$@"\n')
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        self.variables = {
            **os.environ,
            **SMALLER,
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(root),
            "TMPDIR": str(folder),
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        }

    def carry_out(self, step: dict[str, Any]) -> subprocess.CompletedProcess[str]:
        """Run a step by the shell that GitHub takes; expressions come from the steps before."""
        given = {name: self.fill(value) for name, value in step.get("env", {}).items()}
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],  # noqa: S607
            cwd=self.folder,
            env={**self.variables, **given},
            capture_output=True,
            text=True,
            check=False,
        )

    def fill(self, value: str) -> str:
        """Return a value with the outputs of earlier steps in it."""
        lines = self.folder.joinpath("output").read_text().splitlines()
        outputs = dict(line.split("=", 1) for line in lines)
        return re.sub(r"\$\{\{ steps\.\w+\.outputs\.(\w+) \}\}", lambda m: outputs[m[1]], value)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_the_steps_of_a_workflow(root: Path, tmp_path: Path, name: str) -> None:
    """Twice in a row, as on two nights: all succeed, and leave what the document lists."""
    runner = Runner(tmp_path, COMMANDS[name], root)
    for step in steps(root, name):
        found = runner.carry_out(step)
        assert found.returncode == 0, (step["name"], found.stderr)
    assert {path.name for path in tmp_path.iterdir()} >= LEFT[name]
    summary = tmp_path.joinpath("summary.md").read_text(encoding="utf-8")
    assert summary.startswith("## opperf: ")


def test_the_second_night_is_in_the_history_of_the_first(root: Path, tmp_path: Path) -> None:
    """The store keeps both."""
    runner = Runner(tmp_path, COMMANDS["nightly"], root)
    for night in (1, 2):
        for step in steps(root, "nightly"):
            assert runner.carry_out(step).returncode == 0, step["name"]
        page = tmp_path.joinpath("history.html").read_text(encoding="utf-8")
        assert page.count('"points"') >= 1
        told = subprocess.run(
            ["opperf", "history", "Exp", "--store", "nightly.db"],  # noqa: S607 - the runner's own
            cwd=tmp_path,
            env=runner.variables | {"COLUMNS": "240"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert f" {night} sessions with a time" in told.stdout


def test_the_alert(root: Path, tmp_path: Path) -> None:
    """A failure fails the last step, and only that one: the report is there by then."""
    runner = Runner(tmp_path, COMMANDS["nightly"], root)
    runner.variables |= {
        "PYTHONPATH": os.pathsep.join([str(root), str(root / "tests" / "plugin")]),
        "SELECTION": "name in (Double, Liar)",
        "OPPERF_FRAMEWORK": "toy",
    }
    codes = [runner.carry_out(step).returncode for step in steps(root, "nightly")]
    assert codes == [0, 0, 0, 11]
    assert "Liar" in tmp_path.joinpath("summary.md").read_text(encoding="utf-8")

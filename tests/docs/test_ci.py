"""The workflow of docs/ci.md for nights does what it is for; all CI files obey their schemas."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from tests.docs.jobs import Runner, commands, workflow_steps, write_program

SCHEMAS = {
    "action.yml": "github-actions",
    "docs/workflows/nightly.yml": "github-workflows",
    "docs/workflows/pull-request.yml": "github-workflows",
    "docs/workflows/gitlab.yml": "gitlab-ci",
}
SMALLER = {
    "SELECTION": "name in (Exp, Sqrt)",
    "OPPERF_SIZE": "small",
    "OPPERF_FRAMEWORK": "numpy",
    "OPPERF_BUDGET": "0.01",
}
LEFT = {
    "report.html", "junit.xml", "results.csv", "timeline.json", "table.txt", "history.html",
    "changes.txt", "nightly.db",
}  # fmt: skip
NIGHTLY = "docs/workflows/nightly.yml"


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_file_obeys_its_schema(root: Path, name: str) -> None:
    """As GitHub and GitLab publish them, and check-jsonschema ships them."""
    schema = ["--builtin-schema", f"vendor.{SCHEMAS[name]}", str(root / name)]
    command = [sys.executable, "-m", "check_jsonschema", *schema]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("name", SCHEMAS)
def test_no_value_becomes_part_of_a_script(root: Path, name: str) -> None:
    """A title or a branch may be a command: what is not ours comes by the environment."""
    nodes = [yaml.safe_load((root / name).read_text(encoding="utf-8"))]
    scripts = []
    while nodes:
        node = nodes.pop()
        if isinstance(node, dict):
            scripts += [str(node[key]) for key in ("run", "script") if key in node]
            nodes += node.values()
        elif isinstance(node, list):
            nodes += node
    assert scripts or "uses: ./" in (root / name).read_text(encoding="utf-8")
    assert not [script for script in scripts if re.search(r"\$\{\{|\$\[\[|\beval\b", script)]


def test_the_containerfile_is_without_a_finding(root: Path) -> None:
    """Of hadolint, not even what it merely informs of."""
    hadolint = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    if hadolint is None and "CI" not in os.environ:
        pytest.skip("hadolint is not installed: make venv")
    assert hadolint is not None
    command = [hadolint, "--no-color", "--failure-threshold", "style", str(root / "Containerfile")]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, "")


def test_a_wheel_is_built_of_what_the_containerfile_copies(root: Path, tmp_path: Path) -> None:
    """And of nothing else, since the rest of the checkout is not in the image; it has the verb."""
    text = (root / "Containerfile").read_text(encoding="utf-8")
    for line in re.findall(r"^COPY (?!--)(.+)$", text, re.MULTILINE):
        *names, target = line.split()
        for name in names:
            if name.endswith("/"):
                shutil.copytree(root / name, tmp_path / target)
            else:
                shutil.copy(root / name, tmp_path / target)
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", "dist"]
    built = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("dist/*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (programs,) = [name for name in names if name.endswith("entry_points.txt")]
        assert "opperf = opperf.__main__:main" in archive.read(programs).decode()
    modules = {str(path.relative_to(root)) for path in root.glob("opperf/**/*.py")}
    assert modules <= {*names}
    assert [name for name in names if name.endswith("share/man/man1/opperf.1")]


def nightly(root: Path, folder: Path) -> Runner:
    """Return what carries out the night's steps, with fewer operators."""
    write_program(folder / "bin" / "opperf", "-m", "opperf")
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return Runner(folder, {**SMALLER, "PATH": path, "PYTHONPATH": str(root)})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a job's folder."""
    path = tmp_path / "job"
    path.mkdir()
    return path


def test_the_steps_of_two_nights(root: Path, folder: Path) -> None:
    """All succeed, and leave what the document lists; the store keeps both nights."""
    runner = nightly(root, folder)
    for night in (1, 2):
        for step in commands(workflow_steps(root / NIGHTLY)):
            found = runner.carry_out(step)
            assert found.returncode == 0, (step["name"], found.stderr)
        assert {path.name for path in folder.iterdir()} >= LEFT
        assert runner.summary.count("## opperf: ") == night
        page = folder.joinpath("history.html").read_text(encoding="utf-8")
        assert page.count('"points"') >= 1
        told = subprocess.run(
            ["opperf", "history", "Exp", "--store", "nightly.db"],  # noqa: S607 - the runner's own
            cwd=folder,
            env=runner.variables | {"COLUMNS": "240"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert f" {night} sessions with a time" in told.stdout


def test_the_alert(root: Path, folder: Path) -> None:
    """A failure fails the last step, and only that one: the report is there by then."""
    runner = nightly(root, folder)
    runner.variables |= {
        "PYTHONPATH": os.pathsep.join([str(root), str(root / "tests" / "plugin")]),
        "SELECTION": "name in (Double, Liar)",
        "OPPERF_FRAMEWORK": "toy",
    }
    steps = commands(workflow_steps(root / NIGHTLY))
    codes = [runner.carry_out(step).returncode for step in steps]
    assert codes == [0, 0, 0, 11]
    assert "Liar" in runner.summary

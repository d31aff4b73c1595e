"""The action and the template for GitLab, step by step, on a repository with a base and a head."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from typing import TYPE_CHECKING, Any

import pytest

from tests.commits.conftest import NOTHING_ELSE, Source, write_package
from tests.docs.jobs import Runner, commands, document, workflow_steps
from tests.reporting.comments.forge import TOKEN, Forge, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.docs.conftest import Blocks

BACKEND = f"""\
import zipfile

BEHIND = "import site; site.addsitedir({sysconfig.get_path("purelib")!r})"
PROGRAM = "[console_scripts]\\nopperf = opperf.__main__:main\\n"

def build_wheel(folder, config_settings=None, metadata_directory=None):
    name, about = "opperf-0.1.0-py3-none-any.whl", "opperf-0.1.0.dist-info"
    facts = "Metadata-Version: 2.1\\nName: opperf\\nVersion: 0.1.0\\n"
    with zipfile.ZipFile(f"{{folder}}/{{name}}", "w") as wheel:
        wheel.writestr("behind.pth", BEHIND)
        wheel.writestr(f"{{about}}/entry_points.txt", PROGRAM)
        wheel.writestr(f"{{about}}/METADATA", facts)
        wheel.writestr(f"{{about}}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\n")
        wheel.writestr(f"{{about}}/RECORD", "behind.pth,,\\n")
    return name
"""
"""Of a package in the place of the action's checkout: it installs the opperf that is tested."""
BROKEN = "def twice(data):\n    raise RuntimeError('broken by this change')\n"
BOUNDS = {
    "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_CACHE_DIR": "1",
    "OPPERF_RUNS": "6", "OPPERF_WARMUP": "0", "OPPERF_BUDGET": "0.01", **NOTHING_ELSE,
}  # fmt: skip
"""Nothing is downloaded, and little is measured."""
LONG = 1800
"""Seconds: twenty of work, with two virtual environments, beside whatever else runs."""
QUICK = f"""\
#!/bin/sh
[ "$1 $2" = "-m venv" ] || exec {sys.executable} "$@"
shift 2
exec {sys.executable} -m virtualenv --quiet --no-download "$@"
"""
"""A python that makes virtual environments in a seventh of the time of its own venv."""
FEW = {"selection": "name=Twice", "framework": "numpy", "budget": "10m"}
LEFT = {"report.html", "junit.xml", "verdicts.csv", "verdicts.json", "runs"}
HOSTILE = "\"; touch pwned; $(touch pwned) `touch pwned` ' \n touch pwned #"


@pytest.fixture
def forge() -> Iterator[Forge]:
    """Return a server of comments."""
    with serving() as running:
        yield running


@pytest.fixture
def change(tmp_path: Path) -> tuple[Path, str, str]:
    """Return the shallow checkout of a change as a job gets it, its base and its head."""
    write_package(tmp_path / "origin")
    source = Source(tmp_path / "origin")
    source.git("init", "--quiet", "--initial-branch=main")
    base = source.commit()
    source.git("checkout", "--quiet", "-b", "change")
    head = source.commit(BROKEN)
    origin = f"file://{source.path}"
    clone = ["git", "clone", "--quiet", "--depth=1", "--branch=change", origin, "checkout"]
    subprocess.run(clone, cwd=tmp_path, check=True, env={**os.environ, **NOTHING_ELSE})
    action = tmp_path / "action"
    action.mkdir()
    pyproject = (source.path / "pyproject.toml").read_text().replace("tiny", "opperf")
    (action / "pyproject.toml").write_text(pyproject)
    (action / "backend.py").write_text(BACKEND)
    return tmp_path / "checkout", base, head


def environment() -> dict[str, str]:
    """Return an environment without what a user or CI has set."""
    hidden = ("OPPERF_", "GITHUB_", "GITLAB_", "CI_", "PYTHON", "PIP_")
    return {name: "" for name in os.environ if name.startswith(hidden)} | BOUNDS


def of_action(root: Path, forge: Forge, change: tuple[Path, str, str], **inputs: str) -> Runner:
    """Return what carries out the action's steps for a pull request."""
    checkout, base, head = change
    event = checkout.parent / "event.json"
    event.write_text(json.dumps({"pull_request": {"number": 7, "head": {"sha": head}}}))
    action = document(root / "action.yml")
    defaults = {name: each["default"] for name, each in action["inputs"].items()}
    context = {
        **{f"inputs.{name}": value for name, value in {**defaults, **FEW, **inputs}.items()},
        "inputs.token": TOKEN,
        "github.event.pull_request.base.sha": base,
        "github.action_path": str(checkout.parent / "action"),
        "steps.python.outputs.python-path": sys.executable,
    }
    own = {"RUNNER_TEMP": str(checkout.parent / "temp"), **forge.of_github(str(event))}
    del own["OPPERF_COMMENT_TOKEN"]
    return Runner(checkout, {**environment(), **own}, context)


def action_steps(root: Path) -> dict[str, dict[str, Any]]:
    """Return the action's steps that run commands, by their names."""
    steps = document(root / "action.yml")["runs"]["steps"]
    return {step["name"]: step for step in steps if "run" in step}


@pytest.mark.timeout(LONG)
def test_the_steps_of_the_action(
    root: Path, forge: Forge, change: tuple[Path, str, str], tmp_path: Path
) -> None:
    """Base and head are installed and compared; the comment is added, then replaced.

    Then without permission, and with a server that is away first: the token is nowhere.
    """
    runner, steps = of_action(root, forge, change), action_steps(root)
    said = ""
    for name, step in steps.items():
        done = runner.carry_out(step)
        said += done.stdout + done.stderr
        assert done.returncode == (10 if name == "Verdict" else 0), (name, said)
    results = tmp_path / "temp" / "opperf" / "opperf" / "results"
    assert runner.context["steps.base.outputs.directory"] == str(results)
    assert {path.name for path in results.iterdir()} == LEFT
    found = json.loads((results / "verdicts.json").read_text())
    assert {row["verdict"] for row in found if not row["control"]} == {"newly_fails"}
    assert runner.summary.startswith("## opperf: ")
    (comment,) = forge.comments
    assert "head (B) against base (A)" in comment["body"]
    assert "broken by this change" in comment["body"]
    assert (
        f"Measured at {change[2][:12]} by [this job](https://github.test/o/r/actions/"
        in comment["body"]
    )
    assert "opperf: added a comment on pull request 7 of o/r\n" in said

    forge.faults["PATCH"] = ["500"]
    again = runner.carry_out(steps["Comment"])
    assert again.stderr == "opperf: replaced the comment on pull request 7 of o/r\n"
    assert len(forge.comments) == 1

    forge.read_only = True
    refused = runner.carry_out(steps["Comment"])
    assert refused.returncode == 0
    assert refused.stderr == (
        "opperf: no comment on pull request 7 of o/r: it says 403 Forbidden; the token needs the "
        "permission `pull-requests: write`, which a fork's pull request never has\n"
    )
    runner.context["inputs.token"] = ""
    assert "OPPERF_COMMENT_TOKEN is empty" in runner.carry_out(steps["Comment"]).stderr
    assert TOKEN not in said + again.stderr + refused.stderr + runner.summary
    assert not [path for path in results.rglob("*") if path.is_file() and TOKEN in path.read_text()]
    assert forge.tokens == {f"Bearer {TOKEN}"}


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"comment": "maybe"}, "comment 'maybe': must be true or false"),
        ({"name": "../x"}, "name '../x': must be 1 to 64 letters"),
        ({"name": HOSTILE}, "must be 1 to 64 letters"),
        ({"base": "nowhere"}, "base 'nowhere': is no commit or branch of origin"),
        ({"base": "--upload-pack=touch pwned"}, "is no commit or branch of origin"),
        ({"base": HOSTILE}, "is no commit or branch of origin"),
    ],
)
def test_what_the_action_refuses(
    root: Path, forge: Forge, change: tuple[Path, str, str], inputs: dict[str, str], words: str
) -> None:
    """Before anything is installed, in one line that GitHub shows beside the job."""
    runner = of_action(root, forge, change, **inputs)
    done = runner.carry_out(action_steps(root)["Base"])
    assert done.returncode == 2
    (line,) = done.stdout.splitlines()
    assert line.startswith("::error::opperf: ")
    assert words in line
    assert not [*change[0].parent.rglob("pwned")]


def test_an_event_without_a_base(root: Path, forge: Forge, change: tuple[Path, str, str]) -> None:
    """A push has to say what it is compared with; a branch of the origin will do."""
    runner, step = of_action(root, forge, change), action_steps(root)["Base"]
    runner.context["github.event.pull_request.base.sha"] = ""
    done = runner.carry_out(step)
    assert (done.returncode, "the event is of no pull request" in done.stdout) == (2, True)
    runner.context["inputs.base"] = "main"
    assert runner.carry_out(step).returncode == 0
    tree = change[0].parent / "temp" / "opperf" / "opperf" / "base-tree"
    assert "broken" not in (tree / "tiny.py").read_text()


@pytest.mark.parametrize("name", ["selection", "size", "framework", "metric", "budget"])
def test_a_hostile_input_is_refused_by_opperf_and_runs_nothing(
    root: Path, forge: Forge, change: tuple[Path, str, str], name: str
) -> None:
    """It is one word of the command line, whatever is in it."""
    runner = of_action(root, forge, change, **{name: HOSTILE})
    head = change[0].parent / "temp" / "head" / "bin"
    head.mkdir(parents=True)
    for program, words in (("opperf", "-m opperf"), ("python", "")):
        (head / program).write_text(f'#!/bin/sh\nexec {sys.executable} {words} "$@"\n')
        (head / program).chmod(0o755)
    (head.parent.parent / "base").symlink_to("head")
    (head.parent.parent / "results").mkdir()
    runner.variables |= {"OPPERF_CI": str(head.parent.parent), "PYTHONPATH": str(root)}
    done = runner.carry_out(action_steps(root)["Measure"])
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("opperf: ")
    assert "Traceback" not in done.stderr
    assert not [*change[0].parent.rglob("pwned")]


def test_the_workflow_uses_the_action_as_it_is(root: Path) -> None:
    """With inputs that there are, and the permission that the comment needs."""
    path = root / "docs" / "workflows" / "pull-request.yml"
    (step,) = [step for step in workflow_steps(path) if step["uses"] == "./"]
    assert {*step["with"]} <= {*document(root / "action.yml")["inputs"]}
    assert document(path)["permissions"] == {"contents": "read", "pull-requests": "write"}
    assert commands(workflow_steps(path)) == []


def test_the_blocks_of_the_document(root: Path, blocks: Blocks, tmp_path: Path) -> None:
    """What a newcomer copies: a workflow with inputs that there are, and variables likewise."""
    workflow, pipeline = blocks("docs/ci.md", "yaml")
    path = tmp_path / "performance.yml"
    path.write_text(workflow)
    schema = [
        sys.executable,
        "-m",
        "check_jsonschema",
        "--builtin-schema",
        "vendor.github-workflows",
    ]
    found = subprocess.run([*schema, str(path)], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout
    step = workflow_steps(path)[-1]
    assert step["uses"] == "OWNER/opperf@VERSION"
    assert {*step["with"]} <= {*document(root / "action.yml")["inputs"]}
    path.write_text(pipeline)
    template = document(root / "docs" / "workflows" / "gitlab.yml")
    assert {*document(path)["opperf"]["variables"]} <= {*template["opperf"]["variables"]}


def test_the_document_lists_the_inputs_with_their_defaults(root: Path) -> None:
    """All of them, in the table."""
    text = (root / "docs" / "ci.md").read_text(encoding="utf-8")
    table = text.split("| input | default |")[1].split("\n\n")[0]
    listed = [name for line in table.splitlines()[2:] for name in line.split("|")[1].split(",")]
    assert {name.strip() for name in listed} == {*document(root / "action.yml")["inputs"]}


@pytest.mark.timeout(LONG)
@pytest.mark.parametrize("shell", ["bash", "sh"])
def test_the_template_for_gitlab(
    root: Path, forge: Forge, change: tuple[Path, str, str], shell: str, tmp_path: Path
) -> None:
    """By either shell that a runner may take; the second pipeline replaces the note."""
    checkout, base, _ = change
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(QUICK)
    python.chmod(0o755)
    subprocess.run(
        ["git", "fetch", "--quiet", "--unshallow", "origin", "main"],  # noqa: S607
        cwd=checkout, check=True, env={**os.environ, **NOTHING_ELSE},
    )  # fmt: skip
    forge.app = False
    if shell == "sh":
        forge.add("<!-- opperf comment opperf -->\nof the last pipeline", "me", "User")
    job = document(root / "docs" / "workflows" / "gitlab.yml")["opperf"]
    given = {**job["variables"], "OPPERF": str(tmp_path / "action"), "PIP_CACHE_DIR": "",
             **{name.upper(): value for name, value in FEW.items()}}  # fmt: skip
    own = {"CI_PROJECT_DIR": str(checkout), "CI_MERGE_REQUEST_DIFF_BASE_SHA": base}
    (script,) = job["script"]
    done = subprocess.run(
        [shell, "-c", script],
        cwd=checkout,
        env={**os.environ, **environment(), **given, **forge.of_gitlab(), **own,
             "TMPDIR": str(tmp_path), "VIRTUALENV_OVERRIDE_APP_DATA": str(tmp_path / "seeds"),
             "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 10, done.stdout + done.stderr
    assert {path.name for path in (checkout / "opperf-results").iterdir()} == LEFT
    (note,) = forge.comments
    assert "broken by this change" in note["body"]
    assert [len(forge.asked("POST")), len(forge.asked("PUT"))] == [shell == "bash", shell == "sh"]
    assert TOKEN not in done.stdout + done.stderr

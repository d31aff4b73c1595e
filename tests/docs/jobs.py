"""Steps of workflows and of the action, carried out in a shell as GitHub does it."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

EXPRESSION = re.compile(r"\$\{\{ (.+?) \}\}")
FILES = ("output", "env", "path", "step_summary")
"""What a step writes for the steps after it, and for whoever opens the job."""


def document(path: Path) -> Any:
    """Return a YAML file; its key `on` is a truth value to YAML 1.1."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def workflow_steps(path: Path) -> list[dict[str, Any]]:
    """Return the steps of a workflow's only job."""
    (job,) = document(path)["jobs"].values()
    found: list[dict[str, Any]] = job["steps"]
    return found


def commands(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the steps that run commands, but for the installation."""
    return [step for step in steps if "run" in step and step["name"] != "Install"]


class Runner:
    """A folder in which steps are carried out as GitHub does it.

    Args:
        folder: where they are.
        variables: the environment beside the usual one.
        context: the values of expressions, such as `inputs.size`.

    """

    def __init__(
        self, folder: Path, variables: Mapping[str, str], context: Mapping[str, str] | None = None
    ) -> None:
        self.folder = folder
        self.context = dict(context or {})
        self.files = {name: folder.parent / f"{folder.name}-{name}" for name in FILES}
        self.variables = {
            **os.environ,
            "TMPDIR": str(folder),
            "GITHUB_WORKSPACE": str(folder),
            **{f"GITHUB_{name.upper()}": str(path) for name, path in self.files.items()},
            **variables,
        }
        for path in self.files.values():
            path.touch()

    def carry_out(self, step: dict[str, Any]) -> subprocess.CompletedProcess[str]:
        """Run a step by the shell that GitHub takes; expressions come from the steps before."""
        given = {name: self.fill(value) for name, value in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],  # noqa: S607
            cwd=self.folder,
            env={**self.variables, **given},
            capture_output=True,
            text=True,
            check=False,
        )
        self.context |= {
            f"steps.{step.get('id')}.outputs.{name}": value for name, value in self.told("output")
        }
        self.variables |= dict(self.told("env"))
        return done

    def told(self, name: str) -> list[tuple[str, str]]:
        """Return what steps have written into a file so far."""
        lines = self.files[name].read_text(encoding="utf-8").splitlines()
        return [(key, value) for key, _, value in (line.partition("=") for line in lines)]

    def fill(self, value: str) -> str:
        """Return a value with the expressions in it evaluated, of which `a || b` is one."""

        def evaluate(match: re.Match[str]) -> str:
            values = [self.context[word] for word in match[1].split(" || ")]
            return next(filter(None, values), "")

        return EXPRESSION.sub(evaluate, str(value))

    @property
    def summary(self) -> str:
        """The step summary."""
        return self.files["step_summary"].read_text(encoding="utf-8")


def write_program(path: Path, *words: str) -> None:
    """Write a program that calls this Python."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {" ".join(words)} "$@"\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)

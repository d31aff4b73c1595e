"""Processes that load models."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHILD = str(Path(__file__).with_name("child.py"))
BEFORE = {"pytorch": ("torch.export.pt2_archive._package", "torch._export.serde.serialize")}
"""What loaders import, so that not each fork does."""


@dataclass
class Loading:
    """A process that has a framework, and forks for each model."""

    process: subprocess.Popen[str]

    def __call__(
        self,
        form: str,
        *,
        inputs: Any = None,
        options: Any = None,
        trust: bool = False,
        **files: Path,
    ) -> dict[str, Any]:
        """Return what came of loading and calling a model."""
        request = {
            "format": form,
            "files": {role: str(path) for role, path in files.items()},
            "inputs": inputs or {},
            "options": options or {},
            "trust": trust,
        }
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def refusal(self, form: str, **others: Any) -> str:
        """Return the one line by which a model is refused."""
        found = self(form, **others)
        assert list(found) == ["error"], found
        error: str = found["error"]
        assert "\n" not in error
        return error


@pytest.fixture(scope="module")
def loading() -> Iterator[Callable[[str], Loading]]:
    """Return what starts such a process for a framework."""
    running: dict[str, Loading] = {}

    def start(framework: str) -> Loading:
        if framework not in running:
            process = subprocess.Popen(
                [sys.executable, "-W", "ignore", CHILD, framework, *BEFORE.get(framework, ())],
                text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            )  # fmt: skip
            running[framework] = Loading(process)
        return running[framework]

    yield start
    for each in running.values():
        each.process.communicate()

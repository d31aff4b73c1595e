"""Sessions of two candidates: a process of its own plans and measures them, and ends with us.

Operators may be the candidates' own, by the entry point `opperf.operators` of their package. So
what plans them is run by the older candidate's interpreter: this process need not know them.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from opperf.commits.building.variables import commit_variables
from opperf.comparing.arms.installer import telling
from opperf.core.errors import UsageError
from opperf.core.results.conversion import record_part
from opperf.fetching.git import end_with_parent
from opperf.measuring.worker.code_path import code_path
from opperf.storing.document import parse

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PROGRAM = "opperf.cli.commits.bisect_session"
LOG = "sessions.log"
"""What the process that plans has said."""


class SessionRatios(Struct, frozen=True, kw_only=True):
    """What a session found: the log ratio of each row, how blocks were taken, which arms failed.

    `failures` are by "low" and "high"; `error` is what no candidate is to blame for.
    """

    rows: dict[str, float] = {}
    plans: dict[str, dict[str, Any]] = {}
    failures: dict[str, str] = {}
    error: str | None = None

    @property
    def ratio(self) -> float | None:
        """The mean log ratio of all rows, None where there is none."""
        return sum(self.rows.values()) / len(self.rows) if self.rows else None


@dataclass
class SessionProcess:
    """What carries out sessions: a process that plans them, started when it is first needed.

    It stays for all of them, as the first commit's declarations hold for all. It ends with this
    process, however that ends, and with it what it has started.

    Args:
        selection: what is measured, as run.json has it.
        limits: each arm's time and memory.
        folder: room for tensors.
        planner: the interpreter that plans, None for that of the older candidate.
    """

    selection: Mapping[str, Any]
    limits: Mapping[str, Any]
    folder: Path
    planner: str | None = None
    plans: dict[str, dict[str, Any]] = field(default_factory=dict)
    process: subprocess.Popen[str] | None = None

    def measure(self, number: int, pythons: tuple[str, str]) -> SessionRatios:
        """Return what one session of two interpreters found.

        Raises:
            UsageError: it broke off, or nothing can be measured; says why.
        """
        process = self.process = self.process or self.start(self.planner or pythons[0])
        request = {
            "number": number, "pythons": pythons, "selection": self.selection,
            "limits": self.limits, "plans": self.plans, "folder": str(self.folder),
        }  # fmt: skip
        line = ""
        if process.stdin and process.stdout:
            with suppress(BrokenPipeError):
                process.stdin.write(json.dumps(request) + "\n")
                process.stdin.flush()
                line = process.stdout.readline()
        if not line.endswith("\n"):
            status = process.wait()
            self.close()
            said = telling((self.folder / LOG).read_text(encoding="utf-8", errors="replace"))
            raise UsageError(f"a session broke off, exit status {status}: {said}")
        found = record_part(parse(line.encode()), SessionRatios)
        if found.error:
            raise UsageError(found.error)
        self.plans.update(found.plans)
        return found

    def start(self, planner: str) -> subprocess.Popen[str]:
        """Start the process that plans sessions, by an interpreter.

        The user's PYTHONPATH may lead to the work tree, which both arms would import then: where
        the candidates' own package declares the operators, it is left out.
        """
        path = path_with_opperf() if self.planner else code_path()
        variables = {**commit_variables(), "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
        with (self.folder / LOG).open("wb") as log:
            return subprocess.Popen(  # noqa: S603 - a commit's own interpreter, words as a list
                [planner, "-m", PROGRAM], env=variables, text=True, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=log, start_new_session=True,
                preexec_fn=end_with_parent,  # noqa: PLW1509 - calls nothing but the kernel
            )  # fmt: skip

    def close(self) -> None:
        """End the process, and whatever it has started."""
        if self.process:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.communicate()
            self.process = None


def path_with_opperf() -> str:
    """Return PYTHONPATH with the folder that opperf lies in, which an environment may lack."""
    return os.pathsep.join(filter(None, [code_path(), os.environ.get("PYTHONPATH")]))

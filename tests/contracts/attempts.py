"""Attempts that may be the end of their process: made in another one."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.core.results.outcome import Outcome
from opperf.measuring.isolation import signal_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.contracts.conftest import Contract

CHILD = str(Path(__file__).with_name("child.py"))
LONGEST = 400.0
"""Seconds for one row, the loading of a framework and of a compiler included."""


@dataclass
class Attempts:
    """A process that makes one attempt after another, and a new one once an attempt has ended it.

    `variables` are set for it beside those of this process; a row that takes longer than
    `longest`, in seconds, is killed.
    """

    variables: Mapping[str, str] = field(default_factory=dict)
    longest: float = LONGEST
    process: subprocess.Popen[str] | None = None

    def fair_outcome(self, contract: Contract, direction: str) -> Outcome:
        """Return how a row ends: where that ended the process, in one of its own.

        It may have come of an earlier row that had spoiled the memory.
        """
        outcome = self.outcome(contract, direction)
        if outcome.status != "crashed":
            return outcome
        own = Attempts(self.variables, self.longest)
        try:
            return own.outcome(contract, direction)
        finally:
            own.close()

    def outcome(self, contract: Contract, direction: str) -> Outcome:
        """Return how a row ends, were it by a signal."""
        process = self.process = self.process or self.start()
        row = {
            "framework": contract.framework_name,
            "operator": contract.kind.name(),
            "dtype": contract.dtype,
            "size": contract.size,
            "variant": contract.variant,
            "direction": direction,
        }
        answer = self.ask(process, json.dumps(row) + "\n")
        if answer:
            status, reason = json.loads(answer)
            return Outcome(status=status, reason=reason)
        code = self.close()
        assert code < 0, f"the child that attempts {contract} {direction} exits with {code}"
        return Outcome(status="crashed", reason=f"killed by {signal_name(-code)}")

    def start(self) -> subprocess.Popen[str]:
        """Start a process; what it writes to standard error goes where this one's does."""
        return subprocess.Popen(
            [sys.executable, "-W", "ignore", CHILD], text=True, env=os.environ | self.variables,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def ask(self, process: subprocess.Popen[str], line: str) -> str:
        """Return the answer, "" if the process ends before it, which too long a wait has it do."""
        stdin: Any = process.stdin
        stdout: Any = process.stdout
        try:
            stdin.write(line)
            stdin.flush()
        except BrokenPipeError:
            return ""
        ready, _, _ = select.select([stdout], [], [], self.longest)
        if not ready:
            process.kill()
        answer: str = stdout.readline()
        return answer

    def close(self) -> int:
        """Let the process end, and return its exit status; 0 where there is none."""
        if self.process is None:
            return 0
        process, self.process = self.process, None
        process.communicate()
        return process.returncode

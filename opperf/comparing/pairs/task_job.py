"""A script task as it is compared: a run of an arm is its command, with the arm's python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.comparing.pairs.fresh_session import FreshRun
from opperf.core.results.pair import pair_key
from opperf.core.results.parts import OperatorRecord
from opperf.tasks.record import subject_of
from opperf.tasks.session import run_session

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.tasks.task import ScriptTask


@dataclass(frozen=True, kw_only=True)
class TaskJob:
    """A task for a number of GPUs."""

    task: ScriptTask
    num_gpus: int
    timeout: float | None = None
    has_control: ClassVar[bool] = True

    @property
    def operator(self) -> OperatorRecord:
        """What is run."""
        fields = subject_of(self.task, self.num_gpus, "").operator
        return OperatorRecord(**fields, direction="forward")

    @property
    def attributes(self) -> dict[str, Any]:
        """What it is given."""
        return dict(subject_of(self.task, self.num_gpus, "").attributes)

    @property
    def key(self) -> str:
        """The key of its records."""
        return pair_key(self.operator, (), self.attributes)

    def run(self, arm: ArmSpec, log: Path, metric: str) -> FreshRun:
        """Run it once; its log is kept where it fails."""
        del metric
        command = self.task.watch_command(self.num_gpus, arm.variables, arm.python)
        found = run_session(self.task, command, log, self.timeout)
        return FreshRun(
            status=found.ending.status,
            reason=found.ending.reason,
            seconds=found.seconds,
            metrics=found.metrics,
        )

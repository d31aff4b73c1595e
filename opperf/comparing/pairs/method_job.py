"""A benchmark method as it is compared: a run of an arm is a process of the arm's python."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.comparing.campaign import TIME
from opperf.comparing.pairs.fresh_session import FreshRun
from opperf.core.results.pair import pair_key
from opperf.core.results.parts import OperatorRecord
from opperf.methods.record import metrics_of_run, subject_of
from opperf.methods.run import run_method

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.methods.process import Surroundings


@dataclass(frozen=True, kw_only=True)
class MethodJob:
    """A method by its dotted path, where its data lie, and what its processes have."""

    name: str
    data_dir: str
    surroundings: Surroundings
    has_control: ClassVar[bool] = True

    @property
    def operator(self) -> OperatorRecord:
        """What is run."""
        return OperatorRecord(**subject_of(self.name).operator, direction="forward")

    @property
    def attributes(self) -> dict[str, Any]:
        """It is given nothing."""
        return {}

    @property
    def key(self) -> str:
        """The key of its records."""
        return pair_key(self.operator, (), self.attributes)

    def run(self, arm: ArmSpec, log: Path, metric: str) -> FreshRun:
        """Run it once; its folder is kept where it fails. Without a time, other metrics count."""
        output = log.with_suffix("")
        run = run_method(self.name, output, self.data_dir, in_arm(self.surroundings, arm))
        if run.verdict.succeeded:
            shutil.rmtree(output, ignore_errors=True)
        report = run.answered.read_report()
        status, reason = run.verdict.status, run.verdict.reason
        if status == "no_time" and metric != TIME:
            status, reason = "ok", None
        return FreshRun(
            status=status,
            reason=reason,
            seconds=report.seconds and report.seconds / (report.iterations or 1),
            metrics=[*metrics_of_run(run)],
        )


def in_arm(surroundings: Surroundings, arm: ArmSpec) -> Surroundings:
    """Return what the processes of methods have in an arm."""
    return replace(surroundings, python=arm.python, variables=arm.variables)

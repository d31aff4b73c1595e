"""Tests of specifications carried out: one model after the other, each in fresh processes."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from msgspec import structs

from opperf.measuring.campaign import Campaign, Labels
from opperf.measuring.worker.handle import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.core.results.result import Result
    from opperf.measuring.worker.handle import Worker
    from opperf.planning.task import Place, Task
    from opperf.specs.measuring.parts import SpecModel
    from opperf.specs.measuring.task import SpecTask


@dataclass
class SpecCampaign(Campaign):
    """Tests and the children that carry them out; no child sees two models.

    `python` is the interpreter of the children.
    """

    python: str = sys.executable
    models: dict[Place, SpecModel] = field(default_factory=dict)

    def worker(self, task: Task) -> Worker:
        """Return a handle for the framework of a task, on its device."""
        worker = super().worker(task)
        worker.python = self.python
        return worker

    def measure(self, task: Task, then: Task | None = None) -> list[Result]:
        """Measure a test, in children that have seen no other model; its meta is kept."""
        test: SpecTask = task  # type: ignore[assignment] # it has no others
        if self.models.get(test.place, test.model) != test.model:
            self.workers[test.place].stop()
            self.memory_workers[test.place].stop()
        self.models[test.place] = test.model
        usual = self.limits.timeout
        for worker in (self.workers[test.place], self.memory_workers[test.place]):
            worker.limits = replace(self.limits, timeout=test.timeout or usual)
        found = super().measure(test, then)
        return [structs.replace(result, meta=dict(test.meta)) for result in found]


def measure_tests(
    tasks: Sequence[SpecTask],
    *,
    limits: Limits | None = None,
    variables: Mapping[str, str] | None = None,
    labels: Labels | None = None,
    python: str = sys.executable,
    weigh: bool = True,
) -> Iterator[Result]:
    """Yield the result of each test as it comes; whatever becomes of one, the next is measured.

    Args:
        tasks: the tests.
        limits: seconds without a sign of life, and bytes of memory.
        variables: the environment variables of the children beside their own.
        labels: what every record carries about the run.
        python: the interpreter of the children.
        weigh: whether the memory of an inference is found as well, in another process.

    Raises:
        UsageError: no framework can be loaded, or one lacks the device.

    """
    campaign = SpecCampaign(
        tasks, limits or Limits(), variables or {}, labels or Labels(), weigh=weigh, python=python
    )
    with campaign.children():
        for task in tasks:
            yield from campaign.measure(task)

"""From what a program printed to the record of a test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import mean
from typing import TYPE_CHECKING, Any

from msgspec import structs

from opperf.core.configuration.settings import Settings
from opperf.core.errors import OpperfError, UsageError
from opperf.core.results.outcome import Outcome, Subject
from opperf.core.results.record import now
from opperf.core.timing.metric import OPERATOR_DELAY, Metric
from opperf.specs.format.placeholders import names_in
from opperf.specs.measuring.description import describe_test
from opperf.specs.measuring.metrics import PER, throughput
from opperf.specs.measuring.parts import SpecInput, SpecModel
from opperf.specs.programs.observation import observe
from opperf.watching.repetition import labeled_record, student_interval, with_times

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opperf.core.results.result import Result
    from opperf.measuring.campaign import Labels
    from opperf.specs.format.expanded import ModelSpec, SpecTest
    from opperf.specs.platforms.platform import Platform, PlatformDevice
    from opperf.specs.platforms.program import ProgramRun

TIMED = ("delay", "throughput")
"""The metrics that a program's times tell."""


@dataclass(frozen=True, kw_only=True)
class ProgramTest:
    """A test that a program carries out on a device.

    Args:
        model: of the specification.
        test: one of its tests.
        framework: whose program it is.
        digests: the sha256 of the model's files.
        meta: kept in the record.

    """

    model: ModelSpec
    test: SpecTest
    framework: str
    digests: Mapping[str, str]
    meta: Mapping[str, Any]

    def subject(self, device: PlatformDevice) -> Subject:
        """Return what is measured, as a framework's own test is described."""
        files = SpecModel(name=self.model.name, format=self.model.format, digests=self.digests)
        tensors = [
            SpecInput(name=each.name, shape=each.shape, dtype=each.dtype)
            for each in self.test.inputs
        ]
        given = {
            "identifier": self.test.identifier,
            "metric": self.test.metric,
            "command": " && ".join(self.test.command_lines)[:4096],
        }
        place = {"framework": self.framework, "device": device.identifier}
        return describe_test(files, tensors, place, given, Settings())


def refuse_test(test: SpecTest, roles: Iterable[str]) -> None:
    """Refuse a test that no program can carry out; `roles` are the placeholders of its files.

    Raises:
        UsageError: it has no command line, one with an unknown placeholder, or its metric is no
            time.
    """
    if not test.command_lines:
        raise UsageError(f"{test.place}.commands: is missing: what the program is called with")
    if test.metric not in TIMED:
        listed = " and ".join(TIMED)
        raise UsageError(f"{test.place}.metric: {test.metric!r}: programs tell {listed} only")
    for name in sorted(names_in([*test.command_lines]) - {"program", *roles}):
        allowed = ", ".join(["program", *roles])
        what = f"the placeholder {{{name}}} has no value; allowed: {allowed}"
        raise UsageError(f"{test.place}.commands: {what}")


def program_result(
    test: ProgramTest, platform: Platform, device: PlatformDevice, run: ProgramRun, labels: Labels
) -> Result:
    """Return the record of a test, whatever becomes of the program."""
    started = now()
    try:
        outcome = outcome_of(platform.run(device, run), test.test.batch)
    except OpperfError as error:
        outcome = Outcome(status="failed", reason=str(error))
    facts = {"machine_key": device.hash, "cpu": device.title or None}
    record = labeled_record(test.subject(device), outcome, facts, started, labels)
    return structs.replace(record, meta=dict(test.meta))


def outcome_of(text: str, batch: int | None) -> Outcome:
    """Return the times that a program has printed, of inferences with so many items."""
    found = observe(text)
    if not found.net:
        what = 'the program printed no line such as {"type": "NET", "unit": "us", "value": 12.5}'
        return Outcome(status="failed", reason=what, stderr=text[-4096:] or None)
    if min(found.net) <= 0:
        return Outcome(status="failed", reason="the program printed that a run took no time")
    metrics = [
        Metric(
            name=f"{OPERATOR_DELAY}{name}", unit="s", value=mean(seconds), per=PER,
            interval=student_interval(seconds),
        )
        for name, seconds in found.operators.items()
        if seconds
    ]  # fmt: skip
    timed = with_times(Outcome(status="ok"), found.net)
    return replace(timed, metrics=[*throughput(timed, batch), *metrics])

"""The task of a specification's test: a model on declared inputs, as a child is handed it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.core.errors import UsageError, unknown
from opperf.planning.task import Task, fields_from
from opperf.specs.measuring.description import describe_test
from opperf.specs.measuring.parts import SpecInput, SpecModel
from opperf.specs.metrics import DELAY, ERROR, METRICS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.configuration.settings import Settings
    from opperf.core.frameworks.variant import Variant
    from opperf.core.results.outcome import Subject


@dataclass(frozen=True, kw_only=True)
class SpecTask(Task):
    """A model's test on one framework and device.

    `golden` has the .npy file of each golden output by its name or position, `rtol` and `atol` how
    far an output may be from it. `profile` asks for the delay of each operator, `batch` says how
    many items an inference has, `timeout` how many seconds may pass without a sign of life where
    that is not as usual. With `save` the outputs are written into that folder, and nothing is
    timed. `meta` is kept in the record, and tells no series from another.
    """

    program: ClassVar[str] = "opperf.specs.measuring.child"
    arm_program: ClassVar[str] = "opperf.specs.measuring.arm"
    memory_program: ClassVar[str] = "opperf.specs.measuring.memory_child"

    size: str = ""
    model: SpecModel
    identifier: str
    metric: str = DELAY
    tensors: Sequence[SpecInput] = ()
    golden: Mapping[str, str] = field(default_factory=dict)
    rtol: float | None = None
    atol: float | None = None
    profile: bool = True
    batch: int | None = None
    timeout: float | None = None
    save: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def dtype(self) -> str:
        """The element type of the first input, "" without inputs."""
        return self.tensors[0].dtype if self.tensors else ""

    def describe(self, variant: Variant) -> Subject:
        """Return what is measured, as its record states it."""
        del variant
        given = {"identifier": self.identifier, "metric": self.metric, "batch": self.batch}
        place = {"framework": self.framework, "device": self.device}
        return describe_test(self.model, self.tensors, place, given, self.settings)

    def given(self) -> list[Any]:
        """Return what tells it from other tests of the model."""
        subject = self.describe("only")
        return [[*subject.inputs], subject.attributes, subject.initializer]


def spec_task(
    model: SpecModel,
    tensors: Sequence[SpecInput],
    *,
    identifier: str,
    framework: str,
    settings: Settings,
    **others: Any,
) -> SpecTask:
    """Return the task of a model's test; `others` are further fields of it.

    One of an error is checked only.

    Raises:
        UsageError: its metric is unknown, or it asks for an error without golden outputs.
    """
    task = SpecTask(
        operator=model.name, framework=framework, settings=settings, model=model,
        identifier=identifier, tensors=tuple(tensors), rows=(("only", "forward"),), **others,
    )  # fmt: skip
    if task.metric not in METRICS:
        raise UsageError(unknown("metric", task.metric, METRICS, f" of test {identifier!r}"))
    if task.metric == ERROR and not task.golden:
        raise UsageError(
            f"test {identifier!r}: metric {ERROR!r} compares with golden outputs, and there are "
            "none; name their files, or make them"
        )
    return replace(task, check_only=task.check_only or task.metric == ERROR)


def spec_task_from(message: Mapping[str, Any]) -> SpecTask:
    """Return the task a line stands for."""
    found = fields_from(message)
    tensors = tuple(
        SpecInput(**{**each, "shape": tuple(each["shape"])}) for each in message["tensors"]
    )
    return SpecTask(**{**found, "model": SpecModel(**message["model"]), "tensors": tensors})

"""The job: one row of one operator that is compared, and the tensors that both arms get."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from msgspec import UNSET, UnsetType, convert

from opperf.core.checking.expectation import Expectation
from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.limits import refuse_limitation
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.identity import digest
from opperf.core.results.pair import pair_key
from opperf.core.results.parts import InputRecord, OperatorRecord
from opperf.core.tensors.arrays import save_arrays
from opperf.declaring.description import describe
from opperf.declaring.registry import find_operator
from opperf.planning.task import operator_of
from opperf.storing import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.core.results.pair import PairSubject
    from opperf.core.tensors.tensor import Array
    from opperf.declaring.declaration import Declaration
    from opperf.planning.task import Row, Task

CONTROLS = 20
"""One job in so many is also measured A against A."""


@dataclass(frozen=True)
class Job:
    """One row of a task, as its records name it."""

    task: Task
    row: Row
    operator: OperatorRecord
    inputs: tuple[InputRecord, ...]
    attributes: dict[str, Any]
    subject: PairSubject | UnsetType = UNSET

    is_described: ClassVar[bool] = False
    """Whether it takes the framework to say which tensors are to be drawn."""
    is_kept: ClassVar[bool] = True
    """Whether the tensors are kept for the next session: a network's may be too many."""
    has_control: ClassVar[bool] = True
    """Whether it may be compared A against A."""

    @property
    def key(self) -> str:
        """The key of its records."""
        return pair_key(self.operator, self.inputs, self.attributes, self.subject)

    @property
    def compiles(self) -> bool:
        """Whether its first call may take a compiler's time."""
        kind = type(find_operator(self.task.operator)())
        framework = find_framework(self.task.framework)
        implementation = framework.implementation(kind, variant=self.row[0])
        return implementation is not None and implementation.compiles

    @property
    def inputs_key(self) -> str:
        """What the jobs have in common that are on the same tensors."""
        given = [item.to_mapping() for item in self.inputs]
        values = [] if self.subject is UNSET else [self.subject.to_mapping()]
        return digest([self.operator.name, given, self.attributes, *values])

    def draw(self, path: Path, tensors: Sequence[Mapping[str, Any]]) -> None:
        """Write what both arms compute on: the inputs, and the gradients by the outputs.

        Each arm may have a NumPy of its own, and that may draw other numbers by the same seed.

        Args:
            path: the file.
            tensors: those that the framework has described, where it takes that.

        Raises:
            StorageError: the disk is full, or the folder for temporary files cannot be written.
        """
        del tensors
        operator = operator_of(self.task)
        expectation = Expectation(operator, self.task.settings.seed)
        named = {f"input:{name}": array for name, array in expectation.arrays.items()}
        cotangents = expectation.cotangents if operator.inputs["run_backward"] else []
        by_output = {f"cotangent:{at}": array for at, array in enumerate(cotangents)}
        save_drawn(path, {**named, **by_output}, self.task.operator)


def jobs_of(tasks: Iterable[Task]) -> list[Job]:
    """Return a job for each row of the tasks that is not declared to be impossible."""
    return [job for task in tasks for job in rows_of(task)]


def rows_of(task: Task) -> Iterator[Job]:
    """Yield a task's jobs."""
    operator = operator_of(task)
    framework = find_framework(task.framework)
    for variant, direction in task.rows:
        if declared_unsupported(operator, framework, variant, direction):
            continue
        subject = describe(operator, framework, task.device, task.settings, variant)
        names = ("name", "category", "framework", "size", "fused", "device", "cache", "threads")
        named = {name: subject.operator[name] for name in names}
        yield Job(
            task,
            (variant, direction),
            OperatorRecord(**named, direction=direction),
            convert(subject.inputs, tuple[InputRecord, ...]),
            dict(subject.attributes),
        )


def declared_unsupported(
    operator: Declaration, framework: Framework, variant: Variant, direction: str
) -> bool:
    """Return whether the framework is declared to be unable to do it."""
    if direction not in framework.directions:
        return True
    try:
        refuse_limitation(operator, framework, direction, variant=variant)
    except UnsupportedError:
        return True
    return False


def controls_of(jobs: Sequence[Job]) -> list[Job]:
    """Return the jobs that are also measured A against A: one in twenty, one at least.

    Which ones is settled by their keys, so that the next comparison takes the same.
    """
    controlled = [job for job in jobs if job.has_control]
    return sorted(controlled, key=lambda job: job.key)[: -(-len(controlled) // CONTROLS)]


def save_drawn(path: Path, arrays: Mapping[str, Array], operator: str) -> None:
    """Write what both arms compute on.

    Raises:
        StorageError: the disk is full, or the folder for temporary files cannot be written.
    """
    try:
        save_arrays(path, arrays)
    except OSError as error:
        raise StorageError(
            f"cannot write the inputs of {operator} to {path.parent}: {error.strerror}; "
            "free space, or set TMPDIR to another folder, then `opperf resume last`"
        ) from error


def difference(a: Path, b: Path) -> float | None:
    """Return how far the outputs of the arms lie apart: the largest difference over the size.

    The size is the root mean square of A's output; None where an arm kept no outputs, or others.
    """
    try:
        with np.load(a, allow_pickle=False) as ours, np.load(b, allow_pickle=False) as theirs:
            pairs = [(ours[name], theirs[name]) for name in ours.files]
    except (OSError, KeyError, ValueError):
        return None
    largest = 0.0
    for one, other in pairs:
        if one.shape != other.shape:
            return None
        if one.size:
            apart = np.abs(np.subtract(one, other, dtype=float)).max()
            scale = float(np.sqrt(np.mean(np.square(one, dtype=float)))) or 1.0
            largest = max(largest, float(apart) / scale)
    return largest if np.isfinite(largest) else None

"""The pass that finds what one call takes of the memory."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.core.preparing.footprint import lies_in, merge
from opperf.core.preparing.prepare import prepare
from opperf.measuring.attempt import Attempt
from opperf.measuring.children.memory import serve_memory
from opperf.measuring.worker.protocol import Prefetch
from opperf.nd import Exp, Flatten, IMul, NormalRandom
from opperf.numpy_benchmarks.framework import NumPy
from opperf.planning.task import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.memory.span import Span
    from opperf.declaring.declaration import Declaration

KIB = 2**10


@dataclass(frozen=True)
class Bystander:
    """What a call took, as a test says: so many bytes beside whatever it is asked about."""

    nbytes: int
    asked: list[tuple[Sequence[Span], bool]] = field(default_factory=list)

    def beside(self, spans: Sequence[Span], *, made: bool) -> int:
        """Note what was asked."""
        self.asked.append((spans, made))
        return self.nbytes


class Watched(NumPy):
    """NumPy whose calls take as much as a test says."""

    def __init__(self, taken: Bystander | None) -> None:
        self.taken = taken

    def watch(self, device: str) -> Any:
        """Make the call."""
        assert device == "cpu"
        return lambda call: (call(), self.taken)


class Blind(NumPy):
    """A framework, a plug-in's say, that does not tell where its tensors lie."""

    def span(self, tensor: Any) -> None:
        """Say nothing."""


class Broken(NumPy):
    """A framework whose memory cannot be looked at without an error."""

    def span(self, tensor: Any) -> Span:
        """Fail."""
        raise RuntimeError(f"no address of {type(tensor)}")


class Undrawn(NumPy):
    """A framework that is not to be given anything."""

    def tensor(self, array: Any, dtype: str, device: str, *, differentiable: bool) -> Any:
        """Fail."""
        raise AssertionError((array, dtype, device, differentiable))


def footprint(operator: Declaration, framework: Framework) -> Any:
    """Return the bytes of a forward."""
    case = Attempt(operator, framework, "cpu", Settings()).case("only")
    return prepare(framework, case).footprint("forward")


def events_of(framework: Framework) -> list[tuple[str, dict[str, Any]]]:
    """Return what the child of the memory pass says of a small sum."""
    task = Task(operator="Add", framework="numpy", size="small", rows=(("only", "forward"),))
    return answers(json.loads(task.to_json()), framework)


def answers(message: dict[str, Any], framework: Framework) -> list[tuple[str, dict[str, Any]]]:
    """Return what the child of the memory pass says to a message."""
    said: list[tuple[str, dict[str, Any]]] = []

    def answer(event: str, **values: Any) -> None:
        said.append((event, values))

    serve_memory(message, framework, answer)
    return said


def test_outputs_are_where_the_results_lie() -> None:
    """They are counted by the framework's own tensors; whatever else was taken is workspace."""
    taken = Bystander(5)
    found = footprint(Exp({"data": (64, 16)}), Watched(taken))
    assert found == {"outputs": 4 * KIB, "workspace": 5, "saved": 0}
    ((spans, made),) = taken.asked
    assert [nbytes for _, nbytes in spans] == [4 * KIB]
    assert made


def test_a_view_has_no_memory_of_its_own() -> None:
    """An array of another shape that lies in the input has taken nothing."""
    found = footprint(Flatten(size="small"), Watched(Bystander(0)))
    assert found["outputs"] == 0


def test_an_operator_in_place_has_its_changed_inputs_for_outputs() -> None:
    """They are written, but the call has not made them."""
    taken = Bystander(0)
    assert footprint(IMul({"lhs": (64, 16), "rhs": (64, 16)}), Watched(taken))["outputs"] == 4 * KIB
    assert not taken.asked[0][1]


def test_what_takes_no_inputs_has_outputs_all_the_same() -> None:
    """A draw of numbers writes them."""
    assert footprint(NormalRandom({"shape": (64, 16)}), Watched(Bystander(0)))["outputs"]


def test_what_nobody_saw_is_missing_not_zero() -> None:
    """A device that cannot be watched leaves the outputs, which are known."""
    found = footprint(Exp({"data": (64, 16)}), Watched(None))
    assert found == {"outputs": 4 * KIB, "workspace": None, "saved": 0}


def test_a_framework_that_does_not_tell_leaves_what_is_declared() -> None:
    """Nothing is said of the outputs, so that the record keeps its own figure."""
    _, (_, values), done = events_of(Blind())
    found = {metric["name"]: metric["value"] for metric in values["metrics"]}
    assert found == {"outputs": None, "workspace": None, "saved": 0, "peak_memory": None}
    assert done[0] == "done"


def test_an_error_in_the_pass_is_no_answer() -> None:
    """The row that was begun is left out, and the next one is weighed."""
    assert [name for name, _ in events_of(Broken())] == ["row", "done"]


def test_what_is_prefetched_is_not_drawn() -> None:
    """Drawing would be waited for: a compiler is loaded at most."""
    task = Task(operator="Add", framework="numpy", size="small", rows=(("only", "forward"),))
    said = answers(json.loads(Prefetch(task).to_json()), Undrawn())
    assert said == [("prefetched", {"compiles": False}), ("done", {"idle": 0, "changed": []})]


def test_shared_memory_counts_once() -> None:
    """Outputs that overlap, as the parts of one buffer do, are one span; neighbors are two."""
    assert merge([(100, 50), (0, 10), (120, 10), (140, 20)]) == [(0, 10), (100, 60)]
    assert merge([(0, 10), (10, 10)]) == [(0, 10), (10, 10)]
    assert merge([]) == []


def test_a_part_lies_in_the_whole() -> None:
    """And the whole not in its part; what cannot be told lies nowhere."""
    assert lies_in((10, 5), (10, 20))
    assert lies_in((10, 20), (10, 20))
    assert not lies_in((10, 20), (10, 5))
    assert not lies_in((5, 10), (10, 20))
    assert not lies_in((10, 5), None)


def test_an_array_lies_in_its_owner() -> None:
    """A view of a view is where the first array is."""
    numpy = find_framework("numpy")
    data = np.ones((10, 100), np.float32)
    assert numpy.span(data.T[3:].reshape(-1)[:5]) != numpy.span(data)
    assert numpy.span(data.T[3:, 2:]) == numpy.span(data) == (data.ctypes.data, 4000)

"""Calls of PyTorch's overloads: bound, checked, timed, recorded."""

from __future__ import annotations

import json
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import to_builtins

from opperf.calls.format.model import (
    ArgumentRecord,
    CallRecord,
    CallsRecord,
    TensorRecord,
    ValuesRecord,
)
from opperf.calls.format.values import call_from
from opperf.calls.measuring.attempt import CallAttempt
from opperf.calls.measuring.plan import AS_CAPTURED, plan_calls, without_counts
from opperf.calls.measuring.prepared import PreparedCall
from opperf.calls.measuring.task import CallTask, call_task_from
from opperf.calls.ranking.ranking import UNPLACED, rank
from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.outcome import Outcome
from opperf.core.results.reading import from_mapping
from opperf.measuring.untimed import untimed_results
from opperf.planning.due import job_of_result, job_of_task, missing_from
from opperf.planning.selection import Selection
from opperf.pytorch_benchmarks.calling.bound import BoundOverload

if TYPE_CHECKING:
    from opperf.core.results.result import Result

torch = pytest.importorskip("torch")

YES = True
PYTORCH = find_framework("pytorch")


def tensor(*shape: int, dtype: str = "float32", **fields: Any) -> TensorRecord:
    """Return a tensor as a calls file has it."""
    return TensorRecord(shape=shape, dtype=dtype, **fields)


def call(operator: str, *values: Any, count: int = 1, **named: Any) -> CallRecord:
    """Return a call of these arguments, by position and by name."""
    arguments = [ArgumentRecord(value=value) for value in values]
    arguments += [ArgumentRecord(name=name, value=value) for name, value in named.items()]
    return CallRecord(operator=operator, arguments=tuple(arguments), count=count)


def task_of(record: CallRecord, *, check_only: bool = True, dtype: str | None = None) -> CallTask:
    """Return the task of a call."""
    document = without_counts(record)
    return CallTask(
        operator=record.operator, framework="pytorch", call=document, dtype=dtype,
        check_only=check_only, settings=Settings(runs=6, warmup=1, process="plain"),
    )  # fmt: skip


def measure(record: CallRecord, **options: Any) -> Result:
    """Return the result of a call, measured in this process."""
    task = task_of(record, **options)
    (found,) = CallAttempt(task, PYTORCH).records(task.rows, lambda *_row: None)
    return from_mapping(found)


MM = call("aten.mm.default", tensor(5, 7), tensor(7, 3, strides=(1, 7)))


def test_a_call_is_checked_against_float64_and_timed() -> None:
    """With the counts of FLOP and bytes that its shapes tell."""
    result = measure(MM, check_only=False)
    assert result.seconds is not None
    assert result.subject.to_mapping() == {"kind": "call", "name": "aten.mm.default"}
    assert result.operator.implementation == "torch.ops.aten.mm.default"
    assert [item.layout for item in result.inputs] == ["contiguous", "strides (1, 7)"]
    assert (result.flop_count, result.byte_count) == (2 * 5 * 7 * 3, 4 * (5 * 7 + 7 * 3 + 5 * 3))
    assert result.correctness.reference == "pytorch float64, numpy float64 (DotRightTransposed)"


def test_the_timed_step_is_the_overload_alone() -> None:
    """Nothing else is called, copied or cast by it."""
    bound = PYTORCH.bind_call(call_from(to_builtins(MM)), "cpu")
    tensors = {name: torch.ones(spec.shape) for name, spec in bound.tensors.items()}
    step = bound.step(tensors)
    assert isinstance(step, partial)
    assert step.func is torch.ops.aten.mm.default
    assert step.args == (tensors["self"], tensors["mat2"])
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        step()
    seen = [event.name for event in profile.events() if event.name.startswith("aten::")]
    assert [name for name in seen if name != "aten::resolve_conj"] == ["aten::mm"]


def test_tensors_lie_as_they_were_captured() -> None:
    """Over memory that they just fill; expanded ones as well."""
    record = call("aten.add.Tensor", tensor(4, 6, strides=(0, 1)), tensor(4, 6, strides=(20, 3)))
    bound = PYTORCH.bind_call(call_from(to_builtins(record)), "cpu")
    prepared = PreparedCall(PYTORCH, bound, PYTORCH.device("cpu"), 0)
    made = prepared.tensors
    assert [made[name].stride() for name in ("self", "other")] == [(0, 1), (20, 3)]
    assert made["self"].untyped_storage().nbytes() == 4 * 6
    assert made["other"].untyped_storage().nbytes() == 4 * (3 * 20 + 5 * 3 + 1)
    assert measure(record).status == "skipped"


def test_an_overload_of_another_version_is_unsupported_and_the_nearest_is_named() -> None:
    """Nearest among those that take the arguments."""
    result = measure(call("aten.sum.SymIntList", tensor(4, 6), (0,), YES))
    assert result.status == "unsupported"
    assert "no overload aten.sum.SymIntList; nearest: aten.sum.dim_IntList" in result.reason
    result = measure(call("aten.mmm.default", tensor(4, 6)))
    assert (result.status, "nearest: aten.mm" in result.reason) == ("unsupported", True)


def test_a_renamed_overload_is_called_by_its_name_of_today() -> None:
    """And the record says so."""
    result = measure(call("aten.sum.SymInt", tensor(4, 6), (0,)))
    assert result.operator.name == "aten.sum.SymInt"
    assert result.operator.implementation == "torch.ops.aten.sum.dim_IntList"


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (call("aten.relu.default", tensor(2), foo=1), "argument 'foo' is none of: self"),
        (call("aten.mm.default", tensor(2, 2)), "needs the argument 'mat2'"),
        (call("aten.relu.default", tensor(2), 1), "takes 1 arguments by position, not 2"),
        (call("aten.mm.default", tensor(2, 2), "x"), "argument 'mat2' must be Tensor, not 'x'"),
        (call("aten.mm.default", tensor(2, 3), tensor(2, 3)), "cannot be multiplied"),
    ],
)
def test_arguments_that_an_overload_does_not_take_fail_in_one_line(
    record: CallRecord, said: str
) -> None:
    """It names the argument."""
    result = measure(record)
    assert result.status == "failed"
    assert said in result.reason
    assert "\n" not in result.reason


def test_what_no_memory_holds_is_skipped_with_the_reason() -> None:
    """Before anything is allocated."""
    result = measure(call("aten.relu.default", tensor(10**6, 10**6)), check_only=False)
    assert result.status == "skipped"
    assert "needs about" in result.reason
    assert result.seconds is None


def test_another_element_type_is_said_in_the_record() -> None:
    """Timed or not."""
    record = call("aten.mm.default", tensor(4, 4, dtype="float16"), tensor(4, 4, dtype="float16"))
    result = measure(record, dtype="float32")
    assert {item.dtype for item in result.inputs} == {"float32"}
    assert "captured in float16, measured in float32" in result.reason
    timed = measure(record, dtype="float32", check_only=False)
    assert "cast" in {warning.code for warning in timed.warnings}


def test_a_call_in_place_gets_fresh_tensors() -> None:
    """Its values do not run away."""
    record = call("aten.mul_.Tensor", tensor(64), tensor(64))
    bound = PYTORCH.bind_call(call_from(to_builtins(record)), "cpu")
    assert list(bound.changed) == ["self"]
    result = measure(record, check_only=False)
    assert result.seconds is not None
    assert "value_drift" not in {warning.code for warning in result.warnings}


def test_a_view_is_said_to_be_one() -> None:
    """It moves no byte."""
    result = measure(call("aten.view.default", tensor(4, 6), (24,)), check_only=False)
    assert "call_is_view" in {warning.code for warning in result.warnings}
    assert result.byte_count is None


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (call("aten.native_dropout.default", tensor(64, 64), 0.5, YES), "random"),
        (call("aten.empty.memory_format", (4, 6)), "not initialized"),
        (call("aten.bernoulli.p", tensor(64, 64), 0.25), "random"),
    ],
)
def test_what_has_no_reference_says_what_was_checked(record: CallRecord, said: str) -> None:
    """Random or not initialized."""
    result = measure(record)
    assert result.status == "skipped"
    assert result.correctness.reference.startswith("none: ")
    assert said in result.correctness.reference


def wrong(monkeypatch: pytest.MonkeyPatch, operator: str, change: Any) -> None:
    """Have an operator do something else."""
    right = BoundOverload.step

    def step(self: BoundOverload, tensors: Any) -> Any:
        found = right(self, tensors)
        return partial(change, found) if operator in self.implementation else found

    monkeypatch.setattr(BoundOverload, "step", step)


def test_a_wrong_result_has_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """One per cent is found."""
    wrong(monkeypatch, "aten.mm", lambda step: step() * 1.01)
    result = measure(MM, check_only=False)
    assert (result.status, result.seconds) == ("wrong_result", None)


def test_a_share_that_a_dropout_should_not_drop_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though which elements it drops is chance."""
    wrong(monkeypatch, "native_dropout", lambda step: (step()[0] * 0, step()[1]))
    result = measure(call("aten.native_dropout.default", tensor(64, 64), 0.5, YES))
    assert result.status == "wrong_result"
    assert "are zeros, expected 50" in result.reason


def test_indices_lie_within_the_table() -> None:
    """Whether the calls file says so or not."""
    weights, indices = tensor(11, 4), tensor(3, 5, dtype="int64")
    assert measure(call("aten.embedding.default", weights, indices)).status == "skipped"
    below = tensor(3, 5, dtype="int64", values=ValuesRecord(kind="indices", below=2))
    result = measure(call("aten.embedding.default", weights, below))
    assert result.initializer == "indices below 2 (1)"


BAG = call(
    "aten._embedding_bag.default",
    tensor(100, 64), tensor(16, dtype="int64"), tensor(4, dtype="int64"), mode=0,
)  # fmt: skip
"""In float32 its sums come from a kernel that leaves the positions of the bags empty."""


def test_what_only_some_kernels_fill_is_not_compared() -> None:
    """Sums of embeddings are right, whatever is kept for the backward beside them."""
    result = measure(BAG)
    assert (result.status, result.reason) == ("skipped", "checked, not timed")


def test_wrong_sums_of_embeddings_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are what is compared."""
    wrong(monkeypatch, "_embedding_bag", lambda step: (step()[0] * 2, *step()[1:]))
    assert measure(BAG).status == "wrong_result"


def test_the_same_call_is_the_same_job_in_plan_and_record() -> None:
    """So that a run of calls can be resumed."""
    task = task_of(MM)
    assert job_of_task(task) == job_of_result(measure(MM))
    assert missing_from([task], [measure(MM)]) == []
    (untimed,) = untimed_results(task, task.rows, Outcome(status="crashed"), {})
    assert job_of_result(untimed) == job_of_task(task)


def test_a_task_is_read_as_it_was_sent() -> None:
    """Tensors, constants and all."""
    task = task_of(MM)
    assert call_task_from(json.loads(task.to_json())) == task


def network(*calls: CallRecord) -> CallsRecord:
    """Return a network of these calls."""
    return CallsRecord(network="toy", framework="pytorch", calls=calls)


RELU = call("aten.relu.default", tensor(8), count=3)


def test_each_distinct_call_is_planned_once_with_a_launch_beside_them() -> None:
    """Once cast, two may be one."""
    selection = Selection(frameworks=("pytorch",), dtype="float32")
    twice = call("aten.relu.default", tensor(8, dtype="float16"))
    tasks = plan_calls(network(MM, RELU, twice), selection)
    assert [task.operator for task in tasks if not task.companion] == [MM.operator, RELU.operator]
    assert [task.operator for task in tasks if task.companion] == ["aten.clone.default"]
    captured = Selection(frameworks=("pytorch",), dtype=AS_CAPTURED, check_only=True)
    assert len(plan_calls(network(MM, RELU, twice), captured)) == 3
    with pytest.raises(UsageError, match=r"did you mean 'aten\.relu\.default'"):
        plan_calls(network(RELU), Selection(frameworks=("pytorch",), text="name=aten.rely.default"))


def test_an_operator_that_was_slowed_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever it is."""
    record = network(MM, RELU)
    before = [measure(one, check_only=False) for one in record.calls]
    (ranking,) = rank(record, before, None)
    assert len(ranking.timed) == 2
    assert ranking.total == pytest.approx(before[0].seconds + 3 * before[1].seconds)
    assert ranking.calls[-1].cumulative == pytest.approx(1)
    assert ranking.calls[0].phases == {UNPLACED: ranking.calls[0].call.count}
    for slowed in record.calls:
        with monkeypatch.context() as patch:
            wrong(patch, slowed.operator, lambda step: (time.sleep(0.02), step())[1])
            (ranking,) = rank(
                record, [measure(one, check_only=False) for one in record.calls], None
            )
        assert ranking.calls[0].call is slowed
        assert ranking.calls[0].share > 0.5

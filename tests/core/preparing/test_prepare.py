"""From an operator on its arrays to calls that can be timed, in the real frameworks."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from opperf.core.checking.correctness import Outputs, compare_dtypes
from opperf.core.configuration.settings import Settings
from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.device import Device
from opperf.core.frameworks.registry import find_framework
from opperf.core.frameworks.workload import DIRECTIONS, no_op_like
from opperf.core.memory.span import LINE
from opperf.core.preparing import preparation as module
from opperf.core.preparing.cold import in_turn
from opperf.core.preparing.mutating import RESUMED
from opperf.core.preparing.preparation import at_most
from opperf.core.preparing.prepare import prepare, works
from opperf.measuring.attempt import Attempt
from opperf.numpy_benchmarks.framework import NumPy
from opperf.operators.arithmetic.arithmetic import Add, IMul
from opperf.operators.cast import Cast
from opperf.operators.fused.convolution import ConvReLU
from opperf.operators.gemm.gemm import Dot
from opperf.operators.normalization.normalization import BatchNorm
from opperf.operators.random.random import NormalRandom

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.workload import Work, Workload
    from opperf.declaring.declaration import Declaration

NUMPY = find_framework("numpy")


def workload_of(operator: Declaration, framework: Framework = NUMPY) -> Workload:
    """Return the operator on the framework's tensors."""
    attempt = Attempt(operator, framework, "cpu", Settings())
    return prepare(framework, attempt.case("only"))


def outputs(workload: Workload, *, training: bool) -> Sequence[NDArray[Any]]:
    """Return the outputs of one call."""
    return workload.outputs(training)


def run(workload: Workload, direction: str, iterations: int) -> list[Any]:
    """Prepare and make some calls; return what they return."""
    work = workload.works[direction]()
    with work.context():
        return [step() for step in work.steps(iterations)]


def test_the_forward_is_the_operator_on_its_inputs() -> None:
    """Calls return the sum of the inputs, which stay as they are."""
    workload = workload_of(Add(size="small"))
    lhs, rhs = workload.inputs().values()
    for result in run(workload, "forward", 3):
        assert np.array_equal(result, lhs + rhs)
    assert np.array_equal(workload.inputs()["lhs"], lhs)
    assert workload.implementation.endswith("Add.reference")


def in_place(device: Device) -> tuple[module.Preparation, Work]:
    """Return an operator in place on a device, and the work of its forward."""

    class Placed(NumPy):
        """NumPy on that device."""

        def device(self, name: str) -> Device:
            """Return it, whatever it is asked for by."""
            del name
            return device

    framework = Placed()
    case = Attempt(IMul(size="small"), framework, "cpu", Settings()).case("only")
    implementation = framework.implementation(IMul, variant="only")
    assert implementation is not None
    prepared = module.Preparation(framework, case, implementation)
    return prepared, works(prepared)["forward"]()


def test_an_in_place_operator_works_on_pristine_copies() -> None:
    """As many as calls: none is changed twice, nothing drifts, and the inputs are not touched."""
    prepared, work = in_place(Device())
    arrays = prepared.case.arrays
    for _ in range(5):
        steps = list(work.steps(4))
        assert len({id(step) for step in steps}) == 4
        for step in steps:
            step()
        for copy in prepared.ring:
            assert np.array_equal(copy.mutated["lhs"], arrays["lhs"] * arrays["rhs"])
    assert prepared.inputs().keys() == {"rhs"}
    assert np.array_equal(prepared.tensors["lhs"], arrays["lhs"])
    assert work.method == "pristine_copies"


def test_the_operator_s_code_is_back_before_the_calls_on_copies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is done last is calls of a few elements, and all copies have their values back."""
    done: list[object] = []
    prepared: list[module.Preparation] = []

    class Watching(Device):
        """A device that notes what it runs, and how many copies have their values back by then."""

        def time(self, steps: Iterable[Step]) -> float:
            """Note the shapes of what the calls change: NumPy's step has it as an argument."""
            steps = [*steps]
            shapes = {step.args[1][0].shape for step in cast("list[partial[Any]]", steps)}
            done.append((shapes, sum(pristine())))
            return super().time(steps)

    def pristine() -> list[bool]:
        return [
            np.array_equal(copy.mutated["lhs"], each.case.arrays["lhs"])
            for each in prepared
            for copy in each.ring
        ]

    assign = NumPy.assign
    monkeypatch.setattr(NumPy, "assign", lambda *of: (done.append("restored"), assign(*of)))
    made, work = in_place(Watching())
    prepared.append(made)
    for _ in range(2):
        done.clear()
        steps = [*work.steps(2)]
        assert done[-1] == ({(4, 4)}, 2)
        assert pristine() == [True, True]
        for step in steps:
            step()
        assert pristine() == [False, False]


@pytest.mark.parametrize(
    ("cache", "name", "read"),
    [(2**20, "cpu", ["rhs", "lhs"]), (2**16, "cpu", ["rhs", "lhs"]), (2**15, "cpu", []),
     (2**20, "cuda:0", [])],
)  # fmt: skip
def test_what_restoring_drives_out_is_read_again(
    monkeypatch: pytest.MonkeyPatch, cache: int, name: str, read: list[str]
) -> None:
    """Other inputs first, each line of them, where all fit the core's own cache on the host."""
    monkeypatch.setattr(module, "own_cache_bytes", lambda: cache)
    prepared, _ = in_place(Device(name=name))
    copy = prepared.copy()
    tensors = {**prepared.tensors, **copy.mutated}
    assert [line.ctypes.data for line in copy.lines] == [tensors[at].ctypes.data for at in read]
    assert all(line.size * LINE == tensors["lhs"].nbytes for line in copy.lines)
    copy.read()


def test_what_cannot_take_a_few_elements_is_measured_by_a_slope(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What its first call takes more, after other code has run, is taken by one on another copy."""

    def refuse(self: Any) -> None:
        raise ValueError(self)

    assert in_place(Device())[1].lead == ()
    monkeypatch.setattr(module.Preparation, "corner", refuse)
    prepared, work = in_place(Device())
    assert len(work.lead) == 1
    changed: list[Any] = []
    assign = NumPy.assign
    monkeypatch.setattr(NumPy, "assign", lambda *of: (changed.append(of[1]), assign(*of)))
    work.time(1)
    assert [one.shape for one in changed] == [prepared.tensors["lhs"].shape] * 2
    assert in_place(Device(name="cuda:0"))[1].lead == ()


def test_graphs_are_limited_by_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit on bytes is a limit on calls, of one at the least."""
    monkeypatch.setattr(module, "PREPARED_BYTES", 10 * 3 * 64 * 64 * 4)
    assert workload_of(Add(size="small")).works["backward"]().limit == 10
    assert [at_most(nbytes, 10_000) for nbytes in (0, 1, 1000, 10**9)] == [10_000, 10_000, 10, 1]


@pytest.mark.parametrize(
    ("cache", "name", "copies"),
    [(2**20, "cpu", 16), (2**21, "cpu", 32), (2**14, "cpu", 1), (2**20, "cuda:0", 16384)],
)
@pytest.mark.parametrize("constant", [0.0, 1e-4])
def test_copies_stay_in_the_core_s_own_cache(
    monkeypatch: pytest.MonkeyPatch, cache: int, constant: float, name: str, copies: int
) -> None:
    """They take a part of it, as many on each framework, an engine behind it or not."""
    monkeypatch.setattr(module, "own_cache_bytes", lambda: cache)
    assert in_place(Device(name=name, constant=constant))[1].limit == copies


@pytest.mark.parametrize(("constant", "leading"), [(0.0, 0), (1e-4, RESUMED + 1)])
def test_an_engine_is_awake_before_the_calls_on_copies(constant: float, leading: int) -> None:
    """Calls of a few elements come first in each batch, then one on a copy that is no other's."""
    prepared, work = in_place(Device(constant=constant))
    assert len(work.lead) == leading
    work.time(2)
    assert len(prepared.ring) == 2
    expected = prepared.case.arrays["lhs"] * prepared.case.arrays["rhs"]
    assert all(np.array_equal(copy.mutated["lhs"], expected) for copy in prepared.ring)


def test_sets_in_turn_call_on_copies_behind_an_engine_as_well() -> None:
    """What leads a batch is none of its calls: each set's copy is changed once."""
    sets = [in_place(Device(constant=1e-4)) for _ in range(2)]
    in_turn([partial(lambda work: work, work) for _, work in sets]).time(2)
    for prepared, _ in sets:
        (copy,) = prepared.ring
        expected = prepared.case.arrays["lhs"] * prepared.case.arrays["rhs"]
        assert np.array_equal(copy.mutated["lhs"], expected)


@pytest.mark.parametrize("dtype", ["float64", "float16", "bfloat16"])
def test_outputs_come_with_their_element_types(measured: Framework, dtype: str) -> None:
    """Arrays do not tell bfloat16, which they hold in float32: the tensors' own types do."""
    workload = workload_of(Add(inputs={"dtype": dtype}, size="small"), measured)
    found = outputs(workload, training=True)
    assert isinstance(found, Outputs)
    assert found.dtypes == (dtype,)


def test_another_floating_point_type_is_a_fault_that_names_both() -> None:
    """The first of another type is told; whole numbers and truth values may come in any."""
    one, other = np.ones(2, dtype="float32"), np.ones(2)
    right = compare_dtypes([one, one, other], ["float32", "bool", "int64"])
    assert right.fault is None
    wrong = compare_dtypes([one, one, other], ["float32", "float64", "float32"])
    assert wrong.fault == "output 1 is float32, expected float64"
    held = Outputs([one], ["bfloat16"])
    assert compare_dtypes(held, ["bfloat16"]).fault is None
    assert compare_dtypes(held, ["float32"]).fault == "output 0 is bfloat16, expected float32"
    assert compare_dtypes([], ["float32"]).fault is None


def test_what_takes_no_tensors_is_told_dtype_and_device() -> None:
    """A random operator makes its own tensor, where and as it is asked to."""
    operator = NormalRandom(inputs={"dtype": "float16"}, size="small")
    (samples,) = outputs(workload_of(operator), training=False)
    assert (samples.shape, samples.dtype) == ((64, 64), np.float16)


@pytest.mark.parametrize(
    "operator",
    [
        Add(inputs={"dtype": "bfloat16"}, size="small"),
        NormalRandom(inputs={"dtype": "bfloat16"}, size="small"),
        Cast(inputs={"to": "bfloat16"}, size="small"),
    ],
    ids=["inputs", "made", "cast"],
)
def test_numpy_refuses_bfloat16(operator: Declaration) -> None:
    """Whether as the type of its inputs, of what it makes or of what it casts to."""
    with pytest.raises(UnsupportedError, match="numpy has no bfloat16"):
        outputs(workload_of(operator), training=False)


def test_an_operator_that_a_framework_lacks_is_unsupported() -> None:
    """NumPy fuses nothing."""
    attempt = Attempt(ConvReLU(size="small"), NUMPY, "cpu", Settings())
    with pytest.raises(UnsupportedError, match="numpy has no implementation of ConvReLU"):
        prepare(NUMPY, attempt.case("fused"))


def test_the_null_call_does_nothing_in_the_same_wrapping() -> None:
    """What is subtracted is what the harness adds: a bound step costs more than a bare one."""
    work = workload_of(Add(size="small")).works["forward"]()
    (step,) = work.steps(1)
    assert isinstance(step, partial)
    assert isinstance(work.no_op, partial)
    assert not isinstance(no_op_like(lambda: None), partial)
    work.no_op()


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_every_direction_can_be_repeated(measured: Framework, direction: str) -> None:
    """Prepared calls, and more of them later, all run."""
    workload = workload_of(Dot(size="small"), measured)
    work = workload.works[direction]()
    with work.context():
        for count in (1, 3, 2):
            assert len([step() for step in islice(work.steps(count), count)]) == count
        work.no_op()


def test_a_backward_uses_each_graph_once(measured: Framework) -> None:
    """Graphs are recorded before the clock starts, one a call: no retain_graph."""
    work = workload_of(Dot(size="small"), measured).works["backward"]()
    with work.context():
        steps = list(work.steps(4))
        assert len({id(step) for step in steps}) == 4
        for step in steps:
            step()
    assert work.method == "prepared_graphs"


def test_gradients_have_names_and_shapes_of_their_inputs(measured: Framework) -> None:
    """One array for each differentiable input, states excepted."""
    operator = BatchNorm(size="small")
    gradients = workload_of(operator, measured).gradients()
    expected = {name: operator.shapes[name] for name in ("data", "gamma", "beta")}
    assert {name: array.shape for name, array in gradients.items()} == expected


@pytest.mark.parametrize("first", DIRECTIONS[1:])
def test_training_leaves_the_inference_as_it_was(measured: Framework, first: str) -> None:
    """Moving statistics that training moves are not those that inference reads."""
    workload = workload_of(BatchNorm(size="small"), measured)
    before = outputs(workload, training=False)[0].copy()
    run(workload, first, 3)
    outputs(workload, training=True)
    workload.gradients()
    assert np.array_equal(outputs(workload, training=False)[0], before)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_training_moves_its_statistics_by_as_much_in_every_call(
    measured: Framework, direction: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call moves the statistics of its own graph once, and those of inference never.

    MXNet moves them in the backward alone. A share of 1 - momentum remains to be moved each time.
    """
    bound: list[Mapping[str, Any]] = []
    bind = module.Preparation.bind

    def noted(self: module.Preparation, tensors: Mapping[str, Any], *, training: bool) -> Any:
        if training:
            bound.append(tensors)
        return bind(self, tensors, training=training)

    monkeypatch.setattr(module.Preparation, "bind", noted)
    operator, calls = BatchNorm(size="small"), 6
    workload = workload_of(operator, measured)
    data, at_first = workload.inputs()["data"], workload.inputs()["moving_mean"]
    run(workload, direction, calls)
    means = [measured.array(tensors["moving_mean"]) for tensors in bound]
    apart = data.mean(axis=(0, 2, 3)) - at_first
    left = [1 - np.median((mean - at_first) / apart) for mean in means]
    moves = [np.log(share) / np.log(operator.keywords["momentum"]) for share in left]
    idle = direction == "forward" or (measured.name, direction) == ("mxnet", "forward_recorded")
    assert sum(moves) == pytest.approx(0 if idle else calls, abs=0.01)
    assert moves == pytest.approx([round(sum(moves)) / max(len(moves), 1)] * len(moves), abs=0.01)
    assert np.array_equal(workload.inputs()["moving_mean"], at_first)
    assert not idle or bound == [] or direction == "forward_recorded"


def test_without_a_backward_nothing_is_recorded(measured: Framework) -> None:
    """With run_backward=False no tensor asks for a gradient."""
    operator = Add(inputs={"run_backward": False}, size="small")
    attempt = Attempt(operator, measured, "cpu", Settings())
    assert attempt.case("only").cotangents == ()
    assert attempt.outcome("only", "forward").status in {"ok", "noisy"}

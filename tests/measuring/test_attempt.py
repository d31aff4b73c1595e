"""The whole path: checked before it is timed, and every ending is a row."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.errors import UnsupportedError, UsageError
from opperf.core.frameworks.implementation import Implementation
from opperf.core.frameworks.registry import find_framework
from opperf.core.memory.available import available_memory, require_memory
from opperf.core.results.reading import from_mapping
from opperf.measuring import attempt as path
from opperf.measuring.attempt import Attempt
from opperf.measuring.verification import Verification
from opperf.mxnet_benchmarks.framework import MXNet
from opperf.numpy_benchmarks.framework import NumPy
from opperf.operators.arithmetic.arithmetic import Add, IMul
from opperf.operators.exponential import Exp
from opperf.operators.fused.convolution import ConvReLU
from opperf.operators.random.random import NormalRandom

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.checking.correctness import Comparison
    from opperf.core.frameworks.variant import Variant
    from opperf.core.results.outcome import Outcome
    from opperf.core.results.result import Result
    from opperf.declaring.declaration import Declaration

NUMPY = find_framework("numpy")
QUICK = Settings(runs=6, warmup=0)
FORWARD = [("only", "forward")]
PYTORCH = find_framework("pytorch")
FORESEEN = ("arrays", "cotangents", "inference_outputs", "training_outputs", "gradients")


class Spoiled(NumPy):
    """NumPy with another callable behind every operator: a framework with a defect."""

    missing_form = "has no such form"

    def __init__(self, step: Callable[..., Any]) -> None:
        self.step = step

    def implementation(self, operator: type[Any], *, variant: Variant) -> Implementation:
        """Return the defective callable."""
        del operator, variant
        return Implementation("builtins.len", build=self.build)

    def build(self, _: Any, *tensors: Any, **__: Any) -> Any:
        """Bind the defect to the tensors."""
        return partial(self.step, *tensors)


def outcome_of(step: Callable[..., Any], operator: Declaration | None = None) -> Outcome:
    """Return how an operator ends that is computed by this step."""
    attempt = Attempt(operator or Add(size="small"), Spoiled(step), "cpu", QUICK)
    return attempt.outcome("only", "forward")


def results_of(operator: Declaration, **options: Any) -> Sequence[Result]:
    """Return the results of an operator on NumPy."""
    return list(Attempt(operator, NUMPY, "cpu", QUICK).results(**options))


def test_a_right_operator_is_timed() -> None:
    """Samples, summary and correctness stand in one record, whose status is that of a time."""
    (result,) = results_of(Add(size="small"), rows=FORWARD)
    assert result.status in {"ok", "noisy"}
    assert result.seconds is not None
    assert result.samples is not None
    assert len(result.samples.seconds) == 6
    assert result.correctness is not None
    assert result.correctness.max_rel_error < 1e-6
    assert result.operator.name == "Add"
    assert (result.operator.framework, result.operator.size) == ("numpy", "small")


def test_every_row_gets_a_result_in_its_order() -> None:
    """Directions that a framework lacks are rows that say so."""
    results = results_of(Add(size="small"))
    assert [r.operator.direction for r in results] == list(Add().directions())
    assert [r.status for r in results[1:]] == ["unsupported"] * 3
    assert {r.reason for r in results[1:]} == {"numpy measures forward only"}


def test_rows_are_announced_as_they_begin() -> None:
    """Whoever watches knows which row is under way."""
    seen: list[object] = []
    rows = (("fused", "forward"), ("unfused", "forward"))
    attempt = Attempt(ConvReLU(size="small"), NUMPY, "cpu", QUICK)
    records = attempt.records(rows, lambda *row: seen.append(row))
    results = [from_mapping(found) for found in records]
    assert seen == list(rows)
    assert [r.operator.fused for r in results] == [True, False]
    assert results[0].status == "unsupported"
    assert results[1].seconds is not None


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (lambda lhs, rhs: lhs - rhs, "output 0 is"),
        (lambda lhs, rhs: (lhs + rhs)[:-1], "shape (63, 64), expected (64, 64)"),
        (lambda lhs, rhs: (lhs + rhs, lhs), "2 results where the reference has 1"),
        (lambda lhs, rhs: lhs + rhs + np.nan, "NaN or infinite"),
        (lambda lhs, rhs: (lhs + rhs) * 1.001, "of the scale, allowed 0.0001"),
    ],
)
def test_a_wrong_result_is_never_timed(step: Callable[..., Any], words: str) -> None:
    """The status and the first fault are told; there is no time, and no sample."""
    outcome = outcome_of(step)
    assert outcome.status == "wrong_result"
    assert words in str(outcome.reason)
    assert (outcome.samples, outcome.summary) == (None, None)


@pytest.mark.parametrize(
    ("error", "status", "reason"),
    [
        (RuntimeError("first\n\nlast line\n"), "failed", "RuntimeError: last line"),
        (RuntimeError(""), "failed", "RuntimeError: no message"),
        (MemoryError("numpy"), "out_of_memory", "MemoryError: numpy"),
        (RuntimeError("CUDA out of memory. Tried"), "out_of_memory", "RuntimeError: CUDA out of"),
        (RuntimeError("Cannot allocate memory"), "out_of_memory", "RuntimeError: Cannot allocate"),
        (UnsupportedError("no such thing"), "unsupported", "no such thing"),
        (KeyError("x"), "failed", "KeyError: 'x'"),
    ],
)
def test_what_a_framework_raises_becomes_a_status(
    error: Exception, status: str, reason: str
) -> None:
    """No exception of an operator ends a run."""

    def step(*_: Any) -> None:
        raise error

    outcome = outcome_of(step)
    assert outcome.status == status
    assert str(outcome.reason).startswith(reason)
    assert outcome.samples is None


def test_a_reason_is_one_line_of_bounded_length() -> None:
    """A message of pages does not fill the table or the record."""

    def step(*_: Any) -> None:
        raise RuntimeError("x" * 100_000)

    assert len(str(outcome_of(step).reason)) <= 1100


def test_checking_without_timing() -> None:
    """check_only compares and stops."""
    attempt = Attempt(Add(size="small"), NUMPY, "cpu", QUICK, check_only=True)
    outcome = attempt.outcome("only", "forward")
    assert (outcome.status, outcome.samples) == ("skipped", None)
    assert outcome.comparison is not None
    assert outcome.comparison.fault is None


def test_a_dtype_that_the_operator_lacks_is_a_row() -> None:
    """It is refused before the framework is asked."""
    results = results_of(Exp(inputs={"dtype": "int32"}, size="small"), rows=FORWARD)
    assert results[0].status == "unsupported"
    assert "Exp has no int32 form" in str(results[0].reason)


def test_an_in_place_operator_does_not_drift() -> None:
    """Thousands of calls later the inputs are still numbers: no warning is given."""
    (result,) = list(
        Attempt(IMul(size="small"), NUMPY, "cpu", Settings(runs=50, warmup=100)).results()
    )
    assert result.summary is not None
    assert "value_drift" not in {note.code for note in result.summary.warnings}


@pytest.mark.filterwarnings("ignore:overflow")
def test_values_that_drift_away_are_told() -> None:
    """An operator that changes its inputs unasked is found by what became of them."""
    calls = []

    def step(lhs: Any, rhs: Any) -> Any:
        result = lhs + rhs
        calls.append(1)
        if len(calls) > 2:
            lhs.fill(np.inf)
        return result

    outcome = outcome_of(step)
    assert "value_drift" in {note.code for note in outcome.warnings}


def test_random_operators_are_checked_by_their_moments() -> None:
    """Samples of another width are wrong, and so is NaN."""
    random = np.random.default_rng(0)
    operator = NormalRandom(size="small")
    wide = outcome_of(lambda: random.normal(0, 1.2, (64, 64)), operator)
    assert wide.status == "wrong_result"
    assert "variance" in str(wide.reason)
    missing = outcome_of(lambda: np.full((64, 64), np.nan), operator)
    assert missing.status == "wrong_result"
    assert missing.comparison is not None
    assert np.isfinite(missing.comparison.max_abs_error)


def test_huge_tensors_are_refused_before_they_are_made() -> None:
    """The error states the bytes that are needed and those that there are."""
    huge = Add(inputs={"lhs": (2**24, 2**24), "rhs": (2**24, 2**24)})
    with pytest.raises(UsageError, match=r"Add: .*about \d+ bytes .*available"):
        results_of(huge)


def test_memory_is_refused_beyond_a_limit_only() -> None:
    """A limit may be given; without one it is what the machine has left."""
    require_memory("Add", 100, limit=100)
    with pytest.raises(UsageError, match=r"Add: .* 101 bytes .* 100 bytes"):
        require_memory("Add", 101, limit=100)
    available = available_memory()
    assert available is None or available > 0


def test_an_unknown_device_is_an_error_of_the_request() -> None:
    """It is raised before anything is measured, not told row by row."""
    with pytest.raises(UsageError, match="unknown device 'tpu' for numpy"):
        list(Attempt(Add(size="small"), NUMPY, "tpu", QUICK).results())


def test_the_seed_decides_the_inputs() -> None:
    """Two runs of one seed measure the same numbers; the record names it."""
    arrays = [
        Attempt(Add(size="small"), NUMPY, "cpu", Settings(seed=seed)).expectation.arrays["lhs"]
        for seed in (5, 5, 6)
    ]
    assert np.array_equal(arrays[0], arrays[1])
    assert not np.array_equal(arrays[0], arrays[2])


def test_what_is_prefetched_is_what_is_measured() -> None:
    """Inputs and references are found once, and are those of an attempt that foresaw nothing."""
    rows = [("only", "forward"), ("only", "forward_backward")]
    prefetched, plain = (Attempt(Exp(size="small"), PYTORCH, "cpu", QUICK) for _ in range(2))
    prefetched.prefetch(rows)
    found = {name: vars(prefetched.expectation)[name] for name in FORESEEN}
    results = list(prefetched.results(rows))
    assert all(vars(prefetched.expectation)[name] is value for name, value in found.items())
    for name in ("arrays", "gradients"):
        for key, value in getattr(plain.expectation, name).items():
            assert np.array_equal(found[name][key], value)
    assert {result.status for result in results} <= {"ok", "noisy"}


class Compiling(Spoiled):
    """NumPy with an adder that a compiler makes, which says when it is loaded."""

    def __init__(self) -> None:
        super().__init__(self.add)
        self.done: list[str] = []

    def add(self, lhs: Any, rhs: Any) -> Any:
        """Add."""
        self.done.append("call")
        return lhs + rhs

    def implementation(self, operator: type[Any], *, variant: Variant) -> Implementation:
        """Return the adder."""
        return replace(super().implementation(operator, variant=variant), compiles=True)

    def load_compiler(self) -> None:
        """Take note."""
        self.done.append("load")


@pytest.mark.parametrize("prefetched", [False, True])
def test_loading_a_compiler_is_no_part_of_a_first_call(prefetched: bool) -> None:
    """It comes before, in good time where the row was prefetched."""
    framework = Compiling()
    attempt = Attempt(Add(size="small"), framework, "cpu", QUICK)
    if prefetched:
        attempt.prefetch(FORWARD)
        assert framework.done == ["load"]
    assert attempt.outcome("only", "forward").status in {"ok", "noisy"}
    assert framework.done[: 2 + prefetched] == ["load"] * (1 + prefetched) + ["call"]


def test_what_cannot_be_prefetched_is_told_when_it_is_due() -> None:
    """Nothing is drawn for a form that does not exist, and nothing raised."""
    attempt = Attempt(Add({"dtype": "int32"}, size="small"), NUMPY, "cpu", QUICK)
    attempt.prefetch([("only", "backward")])
    assert "arrays" not in vars(attempt.expectation)
    (result,) = attempt.results([("only", "backward")])
    assert result.status == "unsupported"


def test_nothing_is_prefetched_where_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last operator's tensors may still be held beside."""
    attempt = Attempt(Add(size="small"), NUMPY, "cpu", QUICK)
    monkeypatch.setattr(path, "available_memory", lambda: 3 * attempt.operator.memory_needed())
    attempt.prefetch(FORWARD)
    assert "expectation" not in vars(attempt)


@pytest.mark.parametrize(
    ("wrong_at", "calls"),
    [
        (lambda call: call > 6, "turns wrong"),
        (lambda call: call > 3 and call % 2 == 0, "is wrong in every second call"),
        (lambda call: call > 3 and call % 2 == 1, "is wrong in every other second call"),
    ],
)
def test_what_turns_wrong_while_it_is_timed_has_no_time(
    wrong_at: Callable[[int], bool], calls: str
) -> None:
    """It is compared once more after its samples, twice in a row; the reason says when."""
    del calls
    numbers = count(1)

    def step(lhs: Any, rhs: Any) -> Any:
        return lhs + rhs + (1.0 if wrong_at(next(numbers)) else 0.0)

    outcome = outcome_of(step)
    assert outcome.status == "wrong_result"
    assert "right at first, wrong after some" in str(outcome.reason)
    assert (outcome.samples, outcome.summary) == (None, None)


def test_a_random_operator_stays_right_after_its_samples() -> None:
    """It draws the same by the same seed, however much it drew meanwhile."""
    attempt = Attempt(NormalRandom(size="small"), NUMPY, "cpu", QUICK)
    assert attempt.outcome("only", "forward").status in ("ok", "noisy")


def test_what_is_bit_for_bit_the_same_is_not_compared_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A comparison with the reference may take long; a digest does not."""
    judged: list[str] = []
    real = Verification.judge

    def counting(self: Verification, part: str, *yielded: Any) -> Comparison:
        judged.append(part)
        return real(self, part, *yielded)

    monkeypatch.setattr(Verification, "judge", counting)
    assert Attempt(Exp(size="small"), NUMPY, "cpu", QUICK).outcome("only", "forward").samples
    assert judged == ["inference"]


class MuteError(Exception):
    """An error whose text raises."""

    def __str__(self) -> str:
        raise LookupError("no words")


def test_an_error_that_cannot_be_told_is_a_row() -> None:
    """With its kind, and why there is no more."""

    def step(*_: Any) -> NoReturn:
        raise MuteError

    outcome = outcome_of(step)
    assert (outcome.status, outcome.reason) == ("failed", "MuteError: its text raises LookupError")


class Unready(MXNet):
    """MXNet with an operator of two steps: one fails as it is called, while the other is to."""

    def implementation(self, operator: type[Any], *, variant: Variant) -> Implementation:
        """Return what fails as it is bound."""
        del operator, variant
        return Implementation("builtins.len", build=self.fail)

    def fail(self, *_: Any, **__: Any) -> NoReturn:
        """Have the engine multiply what it cannot on a CPU, then refuse."""
        halves = self.mxnet.nd.ones((4, 4), dtype="float16")
        self.product = self.mxnet.nd.dot(halves, halves)
        raise UnsupportedError("no second step")


@pytest.mark.skipif(not MXNet().is_installed(), reason="mxnet is not installed")
@pytest.mark.parametrize("leave", ["outcome", "prefetch"])
def test_an_error_that_comes_late_is_not_the_next_rows(leave: str) -> None:
    """MXNet raises what its engine met at the next wait, whoever waits."""
    unready = Unready()
    unready.load(1)
    first = Attempt(Add(size="small"), unready, "cpu", QUICK, check_only=True)
    if leave == "outcome":
        assert first.outcome("only", "forward").reason == "no second step"
    else:
        first.prefetch(FORWARD)
    second = Attempt(Add(size="small"), find_framework("mxnet"), "cpu", QUICK)
    outcome = second.outcome("only", "forward")
    assert outcome.status in ("ok", "noisy"), outcome.reason

"""Calls of MXNet's registered operators: bound, checked, timed, recorded, ranked."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import numpy as np
import pytest
from msgspec import to_builtins

from opperf.calls.format.model import CallRecord, CallsRecord
from opperf.calls.format.values import call_from
from opperf.calls.measuring.prepared import PreparedCall
from opperf.calls.ranking.ranking import rank
from opperf.mxnet_benchmarks.alias import import_mxnet
from opperf.mxnet_benchmarks.calling.bound import BoundOperator
from opperf.planning.due import job_of_result, job_of_task
from tests.calls.mxnet_calls import (
    BACKWARD,
    BIAS,
    CONVOLUTION,
    FILTERS,
    FORWARD,
    IMAGE,
    MAPS,
    MXNET,
    NORM,
    POOLING,
    RECORDED,
    ROWS,
    WEIGHT,
    YES,
    call,
    measure,
    task_of,
    tensor,
)

if not MXNET.is_installed():
    pytest.skip("MXNet is not installed", allow_module_level=True)
mxnet: Any = import_mxnet()


def name_of(record: CallRecord) -> str:
    """Return an operator's name, as a test's."""
    return record.operator


def prepare(record: CallRecord) -> PreparedCall:
    """Return a call on tensors of its own."""
    bound = MXNET.bind_call(call_from(to_builtins(record)), "cpu")
    return PreparedCall(MXNET, bound, MXNET.device("cpu"), 0)


@pytest.mark.parametrize("record", [*FORWARD, *BACKWARD, *RECORDED], ids=name_of)
def test_the_operator_of_the_name_is_run_and_checked_against_float64(record: CallRecord) -> None:
    """It alone: the profiler sees no other."""
    result = measure(record)
    assert (result.status, result.reason) == ("skipped", "checked, not timed")
    assert (result.correctness.reference or "").startswith("mxnet float64")
    assert result.correctness.max_abs_error is not None
    prepared = prepare(record)
    with prepared.context():
        step = prepared.bound.step(prepared.tensors)
        kernels = MXNET.kernels(step, "cpu") or ()
        # What oneDNN reorders weights with is MXNet's own doing, in `mx.nd` as well.
        assert [name for name in kernels if name != "Reorder"] == [record.operator]


def test_a_record_has_the_flop_and_bytes_of_its_shapes() -> None:
    """Forward and backward, of which each gradient is a product."""
    data, weight, bias, made = tensor(256, 512), tensor(128, 512), tensor(128), tensor(256, 128)
    named = {"num_hidden": 128}
    result = measure(call("FullyConnected", data, weight, bias, **named))
    product, read = 2 * 256 * 512 * 128, 256 * 512 + 128 * 512
    assert (result.flop_count, result.byte_count) == (product, 4 * (read + 128 + 256 * 128))
    record = call("_backward_FullyConnected", made, data, weight, **named, out=[data, weight, bias])
    backward = measure(record)
    assert backward.flop_count == 2 * product
    assert backward.byte_count == 4 * (256 * 128 + 2 * read + 128)


def gradients(inputs: list[Any], gradient: Any, forward: Any) -> list[Any]:
    """Return what autograd finds."""
    for each in inputs:
        each.attach_grad()
    with mxnet.autograd.record():
        made = forward(*inputs)
    made.backward(gradient)
    return [each.grad.asnumpy() for each in inputs]


def test_a_backward_by_its_name_writes_the_gradients_of_autograd() -> None:
    """Bit for bit, in the order of the forward's inputs."""
    prepared = prepare(BACKWARD[0])
    gradient, *inputs = [prepared.tensor(name) for name in prepared.bound.given.arrays]  # type: ignore[attr-defined]
    right = gradients(inputs, gradient, partial(mxnet.nd.Convolution, **CONVOLUTION))
    found, written = prepared.results()
    assert prepared.bound.flatten(found) == []
    for one, other in zip(written.values(), right, strict=True):
        assert np.array_equal(one.asnumpy(), other)


def test_what_a_backward_is_given_of_its_forward_fits() -> None:
    """The mean and the variance of the batch; where the maximum stood."""
    prepared = prepare(BACKWARD[4])
    image, gamma, beta = (prepared.tensor(name) for name in ("3", "4", "5"))
    mean, *_ = prepared.derived.values()
    assert mean == pytest.approx(image.asnumpy().mean(axis=(0, 2, 3)), abs=1e-6)
    moving = [mxnet.nd.zeros(3), mxnet.nd.ones(3)]
    forward = partial(mxnet.nd.BatchNorm, moving_mean=moving[0], moving_var=moving[1], **NORM)
    right = gradients([image, gamma, beta], prepared.tensor("0"), forward)
    _, written = prepared.results()
    for name, other in zip(("out[0]", "out[1]", "out[2]"), right, strict=True):
        assert written[name].asnumpy() == pytest.approx(other, rel=1e-4, abs=1e-5)

    half = tensor(2, 3, 4, 4)
    arrays = [half, half, IMAGE, half, tensor(2, 3, 4, 4, dtype="int32")]
    pooling = call("_backward_Pooling", *arrays, **POOLING, out=[IMAGE])
    if mxnet.runtime.Features().is_enabled("MKLDNN"):
        prepared = prepare(pooling)
        _, written = prepared.results()
        image = prepared.tensor("2")
        (right_one,) = gradients(
            [image], prepared.tensor("0"), partial(mxnet.nd.Pooling, **POOLING)
        )
        assert np.array_equal(written["out[0]"].asnumpy(), right_one)


def test_a_gradient_that_nobody_asks_for_is_not_computed() -> None:
    """Of the data of a first layer."""
    result = measure(RECORDED[1])
    assert result.flop_count == 2 * MAPS.shape[0] * 4 * 8 * 8 * 3 * 3 * 3
    assert "out[0]" not in prepare(RECORDED[1]).bound.tensors
    assert result.operator.implementation == "mxnet.autograd.backward _backward_Convolution"


@pytest.mark.parametrize(
    ("record", "status", "said"),
    [
        (call("Convolutio", IMAGE), "unsupported", "no operator Convolutio; nearest: Convolution"),
        (call("relu", ROWS, slope=1), "failed", "attribute 'slope' is none of: none"),
        (call("clip", ROWS, b_min=1), "failed", "attribute 'b_min' is none of: a_min, a_max"),
        (call("clip", ROWS, a_min="x", a_max=1), "failed", "a_min"),
        (call("relu", datum=ROWS), "failed", "array 'datum' is none of: data"),
        (call("relu", ROWS, ROWS), "failed", "relu takes 1 arrays at the most, not 2"),
        (call("elemwise_add", ROWS), "failed", "expects 2 inputs, but got 1"),
        (call("elemwise_add", ROWS, WEIGHT), "failed", "Incompatible"),
        (call("_backward_relu", ROWS, ROWS), "failed", "needs the argument 'out'"),
        (call("_backward_relu", ROWS, ROWS, out=[ROWS], grad_req=("x",)), "failed", "grad_req"),
        (call("relu", tensor(5, 6, strides=(1, 5))), "unsupported", "row by row"),
        (call("relu", tensor(5, layout="csr")), "unsupported", "layout csr"),
        (call("relu", tensor(5, dtype="complex64")), "unsupported", "element type complex64"),
        (call("relu", tensor(0)), "unsupported", "one element at the least"),
        (call("relu", tensor(10**6, 10**6)), "skipped", "needs about"),
        (call("Dropout", ROWS, is_train="x"), "failed", "is_train must be true or false"),
        (call("FullyConnected", ROWS, ROWS, num_hidden=4, no_bias=YES), "failed", "MXNetError"),
    ],
)
def test_what_an_operator_does_not_take_is_one_line(
    record: CallRecord, status: str, said: str
) -> None:
    """And the next call is measured."""
    result = measure(record, check_only=False)
    assert (result.status, said in result.reason) == (status, YES), result.reason
    assert "\n" not in result.reason
    assert measure(call("relu", ROWS)).status == "skipped"


def wrong(monkeypatch: pytest.MonkeyPatch, operator: str, change: Any) -> None:
    """Have an operator do something else."""
    right = BoundOperator.step

    def step(self: BoundOperator, tensors: Any) -> Any:
        found = right(self, tensors)
        return partial(change, found) if operator == self.operator.name else found

    monkeypatch.setattr(BoundOperator, "step", step)


def one_per_cent_more(step: Any) -> Any:
    """Write one per cent more into what is written to."""
    found = step()
    for each in found:
        each[:] = each * 1.01
    return found


@pytest.mark.parametrize("record", [FORWARD[0], BACKWARD[0], RECORDED[0]], ids=name_of)
def test_a_wrong_result_has_no_time(monkeypatch: pytest.MonkeyPatch, record: CallRecord) -> None:
    """One per cent is found, returned or written."""
    wrong(monkeypatch, record.operator, one_per_cent_more)
    result = measure(record, check_only=False)
    assert (result.status, result.seconds) == ("wrong_result", None)


def test_training_is_another_call_than_inference() -> None:
    """Dropout drops, and its results are random."""
    record = call("Dropout", tensor(64, 64), p=0.5, is_train=YES)
    result = measure(record)
    assert result.correctness.reference.startswith("none: the result is random")
    backward = call("_backward_Dropout", *[tensor(64, 64)] * 2, p=0.5, out=[tensor(64, 64)])
    assert "random" in measure(backward).correctness.reference
    assert job_of_task(task_of(record)) != job_of_task(task_of(call("Dropout", tensor(64, 64))))
    assert job_of_task(task_of(record)) == job_of_result(result)


@pytest.mark.parametrize(
    "record",
    [
        call("Dropout", tensor(64, 64), p=0.5, is_train=YES),
        call("_backward_Dropout", *[tensor(64, 64)] * 2, p=0.5, out=[tensor(64, 64)]),
    ],
    ids=name_of,
)
def test_a_share_that_a_dropout_should_not_drop_is_found(
    monkeypatch: pytest.MonkeyPatch, record: CallRecord
) -> None:
    """Though which elements it drops is chance."""
    wrong(monkeypatch, record.operator, lambda step: [step()[0] * 0])
    result = measure(record)
    assert result.status == "wrong_result"
    assert "are zeros, expected 50" in result.reason


def test_an_optimizers_step_has_fresh_arrays() -> None:
    """Its mean and its variance do not run away; batch normalization may keep its own."""
    adam = measure(FORWARD[-1], check_only=False)
    assert adam.samples is not None
    prepared = prepare(FORWARD[-1])
    assert prepared.bound.changed == ["2", "3"]
    assert prepared.work().method == "pristine_copies"
    training = prepare(call("BatchNorm", IMAGE, *[tensor(3)] * 4, is_train=YES)).bound
    assert training.states == ("1", "3", "4")
    assert "value_drift" not in {warning.code for warning in adam.warnings}


def test_indices_in_floating_point_lie_within_the_table() -> None:
    """As MXNet's usual ones do."""
    indices = prepare(call("take", tensor(11, 3), tensor(700))).draw("1")
    assert {*np.unique(indices)} == {*range(11)}


def test_an_operator_that_was_slowed_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever it is, forward or backward."""
    calls = (FORWARD[0], BACKWARD[1], call("relu", tensor(8), count=3))
    record = CallsRecord(network="toy", framework="mxnet", calls=calls)
    for slowed in calls:
        with monkeypatch.context() as patch:
            wrong(patch, slowed.operator, lambda step: (time.sleep(0.02), step())[1])
            found = [measure(one, check_only=False) for one in calls]
        (ranking,) = rank(record, found, None)
        assert ranking.calls[0].call is slowed
        assert ranking.calls[0].share > 0.5


def test_an_array_of_a_forward_is_named_or_stands_by_its_position() -> None:
    """In the operator's own order either way."""
    mixed = call("Convolution", IMAGE, bias=BIAS, weight=FILTERS, **CONVOLUTION)
    assert [*prepare(mixed).bound.given.arrays] == ["0", "weight", "bias"]  # type: ignore[attr-defined]
    assert measure(mixed).status == "skipped"

"""Calls of MXNet's registered operators, of each kind that a network makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.calls.format.model import ArgumentRecord, CallRecord, TensorRecord
from opperf.calls.measuring.attempt import CallAttempt
from opperf.calls.measuring.plan import without_counts
from opperf.calls.measuring.task import CallTask
from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.reading import from_mapping

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.result import Result

MXNET = find_framework("mxnet")
YES, NO = True, False


def tensor(*shape: int, dtype: str = "float32", **fields: Any) -> TensorRecord:
    """Return an array as a calls file has it."""
    return TensorRecord(shape=shape, dtype=dtype, **fields)


def call(
    operator: str,
    *arrays: TensorRecord,
    count: int = 1,
    out: Sequence[TensorRecord] = (),
    **named: Any,
) -> CallRecord:
    """Return a call of these arrays, by position, and of arrays and attributes by name."""
    arguments = [ArgumentRecord(value=array) for array in arrays]
    arguments += [ArgumentRecord(name=name, value=value) for name, value in named.items()]
    if out:
        arguments.append(ArgumentRecord(name="out", value=tuple(out)))
    return CallRecord(operator=operator, arguments=tuple(arguments), count=count)


def task_of(record: CallRecord, *, check_only: bool = True) -> CallTask:
    """Return the task of a call."""
    return CallTask(
        operator=record.operator, framework="mxnet", call=without_counts(record),
        check_only=check_only, settings=Settings(runs=6, warmup=1, process="plain"),
    )  # fmt: skip


def measure(record: CallRecord, **options: Any) -> Result:
    """Return the result of a call, measured in this process."""
    task = task_of(record, **options)
    (found,) = CallAttempt(task, MXNET).records(task.rows, lambda *_row: None)
    return from_mapping(found)


IMAGE, MAPS, FILTERS, BIAS = tensor(2, 3, 8, 8), tensor(2, 4, 8, 8), tensor(4, 3, 3, 3), tensor(4)
ROWS, WEIGHT = tensor(5, 6), tensor(4, 6)
CONVOLUTION = {"kernel": (3, 3), "num_filter": 4, "pad": (1, 1)}
POOLING = {"kernel": (2, 2), "stride": (2, 2), "pool_type": "max"}
NORM = {"eps": 1e-05, "fix_gamma": NO}
SEQUENCE, STATE, PARAMETERS = tensor(5, 2, 3), tensor(1, 2, 4), tensor(4 * 4 * (3 + 4 + 2))
LSTM = {"state_size": 4, "num_layers": 1, "mode": "lstm", "state_outputs": NO}

FORWARD = [
    call("Convolution", data=IMAGE, weight=FILTERS, bias=BIAS, **CONVOLUTION),
    call("Deconvolution", IMAGE, tensor(3, 4, 3, 3), kernel=(3, 3), num_filter=4),
    call("FullyConnected", ROWS, WEIGHT, BIAS, num_hidden=4),
    call("broadcast_add", ROWS, tensor(1, 6)),
    call("elemwise_mul", lhs=ROWS, rhs=ROWS),
    call("_plus_scalar", ROWS, scalar=2),
    call("_copy", ROWS),
    call("add_n", ROWS, ROWS, ROWS),
    call("Concat", ROWS, ROWS, dim=1, num_args=2),
    call("Reshape", ROWS, shape=(-1, 3)),
    call("transpose", ROWS, axes=()),
    call("sum", ROWS, axis=1),
    call("softmax", ROWS, axis=-1),
    call("sqrt", ROWS),
    call("dot", ROWS, WEIGHT, transpose_b=YES),
    call("batch_dot", tensor(2, 3, 4), tensor(2, 4, 5)),
    call("Pooling", IMAGE, **POOLING, is_train=YES),
    call("BatchNorm", IMAGE, *[tensor(3)] * 4, **NORM),
    call("BatchNorm", IMAGE, *[tensor(3)] * 4, **NORM, is_train=YES),
    call("BatchNorm", IMAGE, *[tensor(3)] * 4, is_train=YES),
    call("LayerNorm", ROWS, tensor(6), tensor(6)),
    call("Dropout", ROWS, p=0.5),
    call("Embedding", tensor(7), tensor(11, 3), input_dim=11, output_dim=3),
    call("take", tensor(11, 3), tensor(7)),
    call("pick", ROWS, tensor(5), axis=-1),
    call("SoftmaxOutput", ROWS, tensor(5)),
    call("RNN", SEQUENCE, PARAMETERS, STATE, STATE, **LSTM),
    call("adam_update", *[ROWS] * 4, lr=0.1),
]
"""Forward operators whose results are compared with float64."""
BACKWARD = [
    call("_backward_Convolution", MAPS, IMAGE, FILTERS, BIAS, **CONVOLUTION,
         out=[IMAGE, FILTERS, BIAS]),
    call("_backward_FullyConnected", tensor(5, 4), ROWS, WEIGHT, num_hidden=4,
         out=[ROWS, WEIGHT, BIAS]),
    call("_backward_Activation", ROWS, ROWS, ROWS, act_type="tanh", out=[ROWS]),
    call("_backward_Activation", ROWS, ROWS, act_type="relu", out=[ROWS]),
    call("_backward_BatchNorm", IMAGE, tensor(3), tensor(3), IMAGE, *[tensor(3)] * 4, **NORM,
         out=[IMAGE, tensor(3), tensor(3)]),
    call("_backward_LayerNorm", ROWS, ROWS, tensor(6), tensor(5, 1), tensor(5, 1),
         out=[ROWS, tensor(6), tensor(6)]),
    call("_backward_softmax", ROWS, ROWS, axis=-1, out=[ROWS]),
    call("_backward_SoftmaxOutput", ROWS, tensor(5), out=[ROWS, tensor(5)]),
    call("_backward_broadcast_add", ROWS, out=[ROWS, tensor(1, 6)]),
    call("_backward_mul", ROWS, ROWS, ROWS, out=[ROWS, ROWS]),
    call("_backward_mul_scalar", ROWS, scalar=2, out=[ROWS]),
    call("_backward_reshape", ROWS, axis=1, out=[tensor(5, 1, 6)]),
    call("_backward_mean", tensor(5), axis=1, out=[ROWS]),
    call("_backward_pick", tensor(5), tensor(5), axis=-1, out=[ROWS]),
    call("_backward_take", tensor(7, 3), tensor(7), out=[tensor(11, 3), tensor(7)]),
    call("_backward_dot", tensor(5, 4), ROWS, tensor(6, 4), out=[ROWS, tensor(6, 4)]),
    call("_backward_sqrt", ROWS, ROWS, out=[ROWS]),
    call("_split_v2_backward", *[tensor(5, 2)] * 3, axis=1, indices=(0, 2, 4), out=[ROWS]),
    call("_zeros", shape=(0, 6), dtype="float32", out=[ROWS]),
]  # fmt: skip
"""Operators of a backward that are called by their names, and others whose shape is told."""
RECORDED = [
    call("_backward_Embedding", tensor(7, 3), tensor(7), input_dim=11, output_dim=3,
         out=[tensor(7), tensor(11, 3)]),
    call("_backward_Convolution", MAPS, IMAGE, FILTERS, BIAS, **CONVOLUTION,
         out=[IMAGE, FILTERS, BIAS], grad_req=("null", "write", "write")),
    call("_backward_RNN", SEQUENCE, PARAMETERS, STATE, tensor(5, 2, 4), tensor(5, 2, 4), STATE,
         **LSTM, out=[SEQUENCE, PARAMETERS, STATE, STATE]),
]  # fmt: skip
"""Those that are run for a recorded forward."""

"""The inputs of the older package (dl-operator-benchmarks), in today's words.

One table says what became of each name. Its values are checked as all others are; what an operator
of today does not do is refused with what to measure or to give in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote
from opperf.legacy.rules import (
    Older,
    Rule,
    always,
    filling,
    filters,
    flattened,
    initializer,
    renamed,
    same_along_axes,
    units,
    whole,
    window,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

PLAIN = "opperf has no such operator"
ON, OFF = (True,), (False,)
DATA = {"data_initializer": filling}
PAIR = {"pred_initializer": filling, "label_initializer": filling}
LOSS = {**PAIR, "weight": always(1, None, instead="losses are not weighted")}
INPLACE = {"this": renamed("lhs"), "other": renamed("rhs")}
ORDER = {"is_ascend": always(*ON, instead="opperf has ascending order only")}
GLOBAL_1D, GLOBAL_2D = {**DATA, "layout": always("NCW")}, {**DATA, "layout": always("NCHW")}
SEARCH = {"keepdims": always(*OFF, instead="the axis that is searched is dropped")}


def convolution(
    layout: str, *, transposed: bool = False, dilated: str = PLAIN, activated: str = PLAIN
) -> dict[str, Rule]:
    """Return the rules of a convolution; the operators are those with a dilation, an activation."""
    rules = {
        **DATA,
        "channels": units("bias"),
        "kernel_size": filters(transposed=transposed),
        "strides": same_along_axes("stride"),
        "padding": same_along_axes("padding"),
        "dilation": always(1, (1,), (1, 1), instead=dilated),
        "layout": always(layout),
        "activation": always(None, instead=activated),
    }
    if transposed:
        rules["output_padding"] = always(0, (0,), (0, 0), instead=PLAIN)
    return rules


def pooling(layout: str) -> dict[str, Rule]:
    """Return the rules of a pooling."""
    return {
        **DATA,
        "pool_size": window,
        "strides": same_along_axes("stride"),
        "padding": same_along_axes("padding"),
        "layout": always(layout),
    }


def recurrent(gates: int) -> dict[str, Rule]:
    """Return the rules of a recurrent layer with so many gates."""
    return {
        **DATA,
        "hidden_size": units("h2h_bias", gates),
        "num_layers": always(1, instead="opperf has one layer"),
        "layout": always("TNC"),
        "dropout": always(0, instead="opperf has one layer, after which nothing is dropped"),
        "bidirectional": always(*OFF, instead="opperf has one direction"),
    }


OLDER_INPUTS: Mapping[str, Mapping[str, Rule]] = {
    **dict.fromkeys(("LogicalNot", "Sqrt", "Square"), DATA),
    **dict.fromkeys(("LeakyReLU", "Sigmoid", "Softmax", "LogSoftmax", "Tanh"), DATA),
    **dict.fromkeys(("ELU", "SELU", "Swish", "Flatten", "Lambda", "BatchNorm"), DATA),
    **dict.fromkeys(("IAdd", "ISub", "IMul", "IDiv", "IMod"), INPLACE),
    **dict.fromkeys(("Sort", "ArgSort"), ORDER),
    **dict.fromkeys(("ArgMax", "ArgMin"), SEARCH),
    **dict.fromkeys(("L1Loss", "L2Loss", "SigmoidBinaryCrossEntropyLoss"), LOSS),
    "SoftmaxCrossEntropyLoss": {
        **LOSS,
        "axis": always(-1, 1, instead="the classes are the last axis"),
        "sparse_label": always(*ON, instead="a label is the number of a class"),
    },
    "Power": {"base": renamed("lhs"), "exp": renamed("rhs")},
    "Dot": {
        "transpose_a": always(*OFF, instead="measure DotLeftTransposed"),
        "transpose_b": always(*OFF, instead="measure DotRightTransposed"),
        "forward_stype": always(None, "default", instead="measure SparseDot"),
    },
    "BatchDot": {
        "transpose_a": always(*OFF, instead=PLAIN),
        "transpose_b": always(*OFF, instead="measure Gemm2"),
        "forward_stype": always(None, "default", instead=PLAIN),
    },
    "TopK": {
        "axis": always(-1, instead="it searches the last axis"),
        "ret_typ": always("both", instead="it returns values and positions"),
        "is_ascend": always(*OFF, instead="it finds the largest"),
    },
    "Full": {"val": renamed("value")},
    "Arange": {
        "start": whole, "stop": whole, "step": whole, "repeat": always(1, instead=PLAIN),
    },
    "CustomOpElementwiseAdd": {**DATA, "data": renamed("lhs", "rhs")},
    "PReLU": {**DATA, "alpha_initializer": filling},
    "Dropout": {**DATA, "rate": renamed("p")},
    "Dense": {
        **DATA,
        "units": units("bias"),
        "activation": always(None, instead="measure DenseReLU or DenseGELU"),
        "use_bias": always(*ON, instead="measure DotRightTransposed"),
        "flatten": flattened,
        "weight_initializer": filling,
        "bias_initializer": filling,
    },
    "Conv1D": convolution("NCW"),
    "Conv2D": convolution(
        "NCHW", dilated="measure DilatedConv2D", activated="measure ConvReLU or ConvSigmoid"
    ),
    "Conv1DTranspose": convolution("NCW", transposed=True),
    "Conv2DTranspose": convolution("NCHW", transposed=True),
    **dict.fromkeys(("MaxPool1D", "AvgPool1D"), pooling("NCW")),
    **dict.fromkeys(("MaxPool2D", "AvgPool2D"), pooling("NCHW")),
    **dict.fromkeys(("GlobalMaxPool1D", "GlobalAvgPool1D"), GLOBAL_1D),
    **dict.fromkeys(("GlobalMaxPool2D", "GlobalAvgPool2D"), GLOBAL_2D),
    "RNN": {**recurrent(1), "activation": always("tanh", instead="measure RNNReLU")},
    "LSTM": recurrent(4),
    "GRU": recurrent(3),
}  # fmt: skip
"""By operator, what became of each older input, in the order in which they depend on each other."""


def in_todays_words(
    operator: str, given: Mapping[str, object], usual: Mapping[str, object]
) -> dict[str, Any]:
    """Return inputs with the older names translated; `usual` are the operator's own.

    Raises:
        UsageError: an older input asks for what the operator does not do, or is an array.
    """
    rules = OLDER_INPUTS.get(operator, {})
    for name, value in given.items():
        if isinstance(shape := getattr(value, "shape", None), tuple) and shape:
            quoted = quote(name) if name not in usual and name not in rules else name
            raise UsageError(f"{operator}: {quoted} is an array; give its shape, {tuple(shape)}")
    inputs = {name: value for name, value in given.items() if name in usual or name not in rules}
    if "initializer" in inputs:
        inputs["initializer"] = initializer(inputs["initializer"])
    for name, rule in rules.items():
        if name in given:
            rule(Older(operator, name, given[name], usual), inputs)
    return inputs

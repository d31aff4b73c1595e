"""What the older package (dl-operator-benchmarks) called its results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.results.older_names import name_in_keys

if TYPE_CHECKING:
    from collections.abc import Mapping

GLUON = "Gluon_Imperative_"
"""Stands before the layers of MXNet's Gluon, and of no other framework."""

LAYERS = (
    "LeakyRelu", "PRelu", "Sigmoid", "Tanh", "Elu", "Selu", "Swish", "Dense", "Flatten",
    "Conv1D", "Conv2D", "Conv1DTranspose", "Conv2DTranspose",
    "L1Loss", "L2Loss", "SigmoidBinaryCrossEntropyLoss", "SoftmaxCrossEntropyLoss",
    "Dropout", "BatchNorm",
    "MaxPool1D", "MaxPool2D", "AvgPool1D", "AvgPool2D",
    "GlobalMaxPool1D", "GlobalMaxPool2D", "GlobalAvgPool1D", "GlobalAvgPool2D",
    "RNN", "LSTM", "GRU",
)  # fmt: skip
"""The layers whose result is called as they are."""

RESULT_NAMES: Mapping[str, str] = {
    **{name: f"{GLUON}{name}" for name in LAYERS},
    "Lambda": f"{GLUON}Lambda_Batchify",
    "IAdd": "Inplace_Add",
    "ISub": "Inplace_Subtract",
    "IMul": "Inplace_Multiply",
    "IDiv": "Inplace_Division",
    "IMod": "Inplace_Modulo",
    "LesserEqual": "Lesser_Equal",
    "GreaterEqual": "Greater_Equal",
    "NotEqual": "Not_Equal",
    "LogicalAnd": "Logical_And",
    "LogicalOr": "Logical_Or",
    "LogicalXor": "Logical_Xor",
    "LogicalNot": "Logical_Not",
    "LogSoftmax": "Log_Softmax",
    "BatchDot": "Batch_Dot",
    "ZerosLike": "Zeros_Like",
    "OnesLike": "Ones_Like",
    "CustomOpElementwiseAdd": "CustomOp_Elementwise_Add",
}
"""By the operator's older name, where it has one; any other result is called as that is."""

FORWARD_ONLY = frozenset(
    {"L1Loss", "L2Loss", "SigmoidBinaryCrossEntropyLoss", "SoftmaxCrossEntropyLoss", "Sort"}
)
"""The operators whose forward alone was timed, though they have a backward."""


def result_name(operator: str, prefix: str) -> str:
    """Return what the result of an operator is called on the framework of a prefix."""
    older = name_in_keys(operator)
    name = RESULT_NAMES.get(older, older)
    return f"{prefix}_{name if prefix == 'MX' else name.removeprefix(GLUON)}"

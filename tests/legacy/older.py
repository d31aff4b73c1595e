"""The older package's classes: what each took, with its defaults, and what it called its result.

Taken down class by class from its public code. `nd.normal` stands here as "normal".
"""

from __future__ import annotations

from typing import Any

IMAGE, SIGNAL = (32, 3, 256, 256), (32, 3, 256)
TRAINED = {"run_backward": True, "dtype": "float32"}
FORWARD = {"run_backward": False, "dtype": "float32"}
FILLED = {"data_initializer": "normal"}


def pair(first: str = "lhs", second: str = "rhs", **switches: Any) -> dict[str, Any]:
    """Return the inputs of an operator of two matrices."""
    shapes = {first: (1024, 1024), second: (1024, 1024)}
    return {**shapes, "initializer": "normal", **(switches or TRAINED)}


def layer(data: tuple[int, ...], **attributes: Any) -> dict[str, Any]:
    """Return the inputs of a layer."""
    return {"data": data, **FILLED, **attributes, **TRAINED}


def convolution(rank: int, **attributes: Any) -> dict[str, Any]:
    """Return the inputs of a convolution in so many dimensions."""
    usual: dict[str, Any] = {"channels": 64, "activation": None}
    if rank == 1:
        usual |= {"kernel_size": 3, "strides": 1, "padding": 1, "dilation": 1, "layout": "NCW"}
    else:
        usual |= {"kernel_size": (3, 3), "strides": (1, 1), "padding": (0, 0)}
        usual |= {"dilation": (1, 1), "layout": "NCHW"}
    return layer(SIGNAL if rank == 1 else IMAGE, **usual, **attributes)


def pooling(rank: int) -> dict[str, Any]:
    """Return the inputs of a pooling in so many dimensions."""
    if rank == 1:
        return layer(SIGNAL, pool_size=2, strides=None, padding=0, layout="NCW")
    return layer(IMAGE, pool_size=(2, 2), strides=None, padding=(0, 0), layout="NCHW")


def loss(**attributes: Any) -> dict[str, Any]:
    """Return the inputs of a loss."""
    shapes = {"pred": (32, 1000, 1), "label": (32, 1000, 1), "weight": 1.0}
    fillings = {"pred_initializer": "normal", "label_initializer": "normal"}
    return {**shapes, **fillings, **attributes, **FORWARD}


def search(**attributes: Any) -> dict[str, Any]:
    """Return the inputs of an operator that sorts or searches."""
    return {"data": (1024, 1000), "initializer": "normal", "axis": -1, **attributes, **FORWARD}


def recurrent(**attributes: Any) -> dict[str, Any]:
    """Return the inputs of a recurrent layer."""
    usual = {"hidden_size": 100, "num_layers": 1, "layout": "TNC", "dropout": 0}
    return layer((25, 32, 256), **usual, bidirectional=False, **attributes)


def product(lhs: tuple[int, ...], rhs: tuple[int, ...]) -> dict[str, Any]:
    """Return the inputs of a matrix product."""
    switches = {"transpose_a": False, "transpose_b": False, "forward_stype": None}
    return {"lhs": lhs, "rhs": rhs, "initializer": "normal", **switches, **TRAINED}


MATRIX = {"data": (1024, 1024), "initializer": "normal"}
BOTH, ONE_WAY = "Forward_Backward", "Forward"

OLDER: dict[str, tuple[str, dict[str, Any]]] = {
    **{
        name: (f"{name}_{BOTH}", pair())
        for name in ("Add", "Subtract", "Multiply", "Divide", "Modulo")
    },
    "Power": (f"Power_{BOTH}", pair("base", "exp")),
    "Negative": (f"Negative_{BOTH}", {**MATRIX, **TRAINED}),
    **{
        name: (f"Inplace_{result}_{ONE_WAY}", pair("this", "other", **FORWARD))
        for name, result in {
            "IAdd": "Add", "ISub": "Subtract", "IMul": "Multiply", "IDiv": "Division",
            "IMod": "Modulo",
        }.items()
    },
    **{
        name: (f"{result}_{ONE_WAY}", pair(**FORWARD))
        for name, result in {
            "Lesser": "Lesser", "LesserEqual": "Lesser_Equal", "Greater": "Greater",
            "GreaterEqual": "Greater_Equal", "Equal": "Equal", "NotEqual": "Not_Equal",
            "LogicalAnd": "Logical_And", "LogicalOr": "Logical_Or", "LogicalXor": "Logical_Xor",
        }.items()
    },
    "LogicalNot": (f"Logical_Not_{ONE_WAY}", {"data": (1024, 1024), **FILLED, **FORWARD}),
    "Log": (f"Log_{BOTH}", {**MATRIX, **TRAINED}),
    "Exp": (f"Exp_{BOTH}", {**MATRIX, **TRAINED}),
    "Sqrt": (f"Sqrt_{BOTH}", layer((1024, 1024))),
    "Square": (f"Square_{BOTH}", layer((1024, 1024))),
    "Dot": (f"Dot_{BOTH}", product((1024, 1024), (1024, 1000))),
    "BatchDot": (f"Batch_Dot_{BOTH}", product((32, 1024, 1024), (32, 1024, 1000))),
    "Sort": (f"Sort_{ONE_WAY}", search(is_ascend=True)),
    "ArgSort": (f"ArgSort_{ONE_WAY}", search(is_ascend=True)),
    "TopK": (f"TopK_{BOTH}", search(k=10, ret_typ="indices", is_ascend=True)),
    "ArgMax": (f"ArgMax_{ONE_WAY}", search(keepdims=False)),
    "ArgMin": (f"ArgMin_{ONE_WAY}", search(keepdims=False)),
    "Zeros": (f"Zeros_{ONE_WAY}", {"shape": (1024, 1024), **FORWARD}),
    "Ones": (f"Ones_{ONE_WAY}", {"shape": (1024, 1024), **FORWARD}),
    "ZerosLike": (f"Zeros_Like_{ONE_WAY}", {**MATRIX, **FORWARD}),
    "OnesLike": (f"Ones_Like_{ONE_WAY}", {**MATRIX, **FORWARD}),
    "Full": (f"Full_{ONE_WAY}", {"shape": (1024, 1024), "val": 1.0, **FORWARD}),
    "Arange": (
        f"Arange_{ONE_WAY}", {"start": 1, "stop": 100, "step": 1.0, "repeat": 10, **FORWARD},
    ),
    "CustomOpElementwiseAdd": (f"CustomOp_Elementwise_Add_{BOTH}", layer((1000, 1))),
    "LeakyRelu": (f"Gluon_Imperative_LeakyRelu_{BOTH}", layer(IMAGE, alpha=0.01)),
    "PRelu": (f"Gluon_Imperative_PRelu_{BOTH}", layer(IMAGE, alpha_initializer="zeros")),
    **{
        name: (f"Gluon_Imperative_{name}_{BOTH}", layer(IMAGE))
        for name in ("Sigmoid", "Tanh", "Elu", "Selu", "Swish", "BatchNorm")
    },
    "Softmax": (f"Softmax_{BOTH}", layer(IMAGE)),
    "LogSoftmax": (f"Log_Softmax_{BOTH}", layer(IMAGE)),
    "Dense": (
        f"Gluon_Imperative_Dense_{BOTH}",
        layer(
            (512, 512), units=256, activation=None, use_bias=True, flatten=True,
            weight_initializer="Xavier", bias_initializer="Zeros",
        ),
    ),
    "Flatten": (f"Gluon_Imperative_Flatten_{BOTH}", layer((128, 512, 512))),
    "Lambda": (f"Gluon_Imperative_Lambda_Batchify_{BOTH}", layer((128, 512, 512))),
    **{
        f"Conv{rank}D": (f"Gluon_Imperative_Conv{rank}D_{BOTH}", convolution(rank))
        for rank in (1, 2)
    },
    "Conv1DTranspose": (
        f"Gluon_Imperative_Conv1DTranspose_{BOTH}", convolution(1, output_padding=0),
    ),
    "Conv2DTranspose": (
        f"Gluon_Imperative_Conv2DTranspose_{BOTH}", convolution(2, output_padding=(0, 0)),
    ),
    **{
        name: (f"Gluon_Imperative_{name}_{ONE_WAY}", loss())
        for name in ("L1Loss", "L2Loss", "SigmoidBinaryCrossEntropyLoss")
    },
    "SoftmaxCrossEntropyLoss": (
        f"Gluon_Imperative_SoftmaxCrossEntropyLoss_{ONE_WAY}", loss(axis=-1, sparse_label=False),
    ),
    "Dropout": (f"Gluon_Imperative_Dropout_{BOTH}", layer(IMAGE, rate=0.5)),
    **{
        f"{kind}Pool{rank}D": (f"Gluon_Imperative_{kind}Pool{rank}D_{BOTH}", pooling(rank))
        for kind in ("Max", "Avg") for rank in (1, 2)
    },
    **{
        f"Global{kind}Pool{rank}D": (
            f"Gluon_Imperative_Global{kind}Pool{rank}D_{BOTH}",
            layer(SIGNAL, layout="NCW") if rank == 1 else layer(IMAGE, layout="NCHW"),
        )
        for kind in ("Max", "Avg") for rank in (1, 2)
    },
    "RNN": (f"Gluon_Imperative_RNN_{BOTH}", recurrent(activation="relu")),
    "LSTM": (f"Gluon_Imperative_LSTM_{BOTH}", recurrent()),
    "GRU": (f"Gluon_Imperative_GRU_{BOTH}", recurrent()),
}  # fmt: skip
"""By class: its result between "MX_" and "_Time", and its inputs. Of comparisons and searches the
result says what was measured: it called some a backward that they have not."""

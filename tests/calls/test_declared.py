"""A captured call as one of our declarations: what it is, and why it is none."""

from __future__ import annotations

from typing import Any

import pytest

from opperf.calls.declared.category import category_of
from opperf.calls.declared.finding import declared_call
from opperf.calls.format.values import Argument, Call, CallTensor, Constant
from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.registry import find_framework

ATEN = find_framework("pytorch").calling
TRUE, FALSE = True, False
CONV = ([1, 1], [1, 1], [1, 1], FALSE, [0, 0], 1)


def tensor(*shape: int, dtype: str = "float32", strides: tuple[int, ...] | None = None) -> Any:
    """Return a tensor of a call."""
    return CallTensor(shape, dtype, strides)


def call(operator: str, *values: Any, **named: Any) -> Call:
    """Return a call of these arguments, by position and by name."""
    given = [Argument(None, value) for value in values]
    return Call(operator, (*given, *(Argument(name, value) for name, value in named.items())))


DATA, FILTERS = tensor(8, 64, 56, 56), tensor(64, 64, 3, 3)
DECLARED = [
    (
        call("aten.convolution.default", DATA, FILTERS, None, *CONV),
        ("UnbiasedConv2D", "forward"),
        {"data": DATA.shape, "weight": FILTERS.shape, "stride": 1, "padding": 1},
    ),
    (
        call("aten.convolution.default", DATA, FILTERS, tensor(64), [2, 2], [0, 0], *CONV[2:]),
        ("Conv2D", "forward"),
        {"data": DATA.shape, "weight": FILTERS.shape, "bias": (64,), "stride": 2, "padding": 0},
    ),
    (
        call(
            "aten.convolution_backward.default",
            tensor(8, 64, 56, 56), DATA, FILTERS, [0], *CONV, [TRUE, TRUE, FALSE],
        ),
        ("UnbiasedConv2D", "backward"),
        {"data": DATA.shape, "weight": FILTERS.shape, "run_backward": TRUE},
    ),
    (
        call("aten.mm.default", tensor(5, 7), tensor(7, 3)),
        ("Dot", "forward"),
        {"lhs": (5, 7), "rhs": (7, 3), "dtype": "float32"},
    ),
    (
        call("aten.mm.default", tensor(5, 7), tensor(7, 3, strides=(1, 7))),
        ("DotRightTransposed", "forward"),
        {"lhs": (5, 7), "rhs": (3, 7)},
    ),
    (
        call(
            "aten.addmm.default",
            tensor(3, dtype="float64"), tensor(5, 7, dtype="float64"),
            tensor(7, 3, dtype="float64", strides=(1, 7)),
        ),
        ("Dense", "forward"),
        {"data": (5, 7), "weight": (3, 7), "bias": (3,), "dtype": "float64"},
    ),
    (
        call("aten._softmax.default", tensor(4, 12, 128, 128), -1, FALSE),
        ("Softmax", "forward"),
        {"data": (4, 12, 128, 128), "axis": -1},
    ),
    (
        call(
            "aten.native_batch_norm.default",
            DATA, *(tensor(64) for _ in range(4)), TRUE, 0.1, 1e-5,
        ),
        ("BatchNorm", "forward_recorded"),
        {"data": DATA.shape, "gamma": (64,), "eps": 1e-5, "momentum": 0.9},
    ),
    (
        call(
            "aten.native_layer_norm.default",
            tensor(4, 128, 768), [768], tensor(768), tensor(768), 1e-12,
        ),
        ("LayerNorm", "forward"),
        {"data": (4, 128, 768), "gamma": (768,), "eps": 1e-12},
    ),
    (
        call(
            "aten.embedding_dense_backward.default",
            tensor(4, 128, 768), tensor(4, 128, dtype="int64"), 30522, -1, FALSE,
        ),
        ("Embedding", "backward"),
        {"data": (4, 128), "weight": (30522, 768)},
    ),
    (
        call("aten.embedding.default", tensor(512, 8), tensor(4, 9, dtype="int64"), 0),
        ("Embedding", "forward"),
        {"data": (4, 9), "weight": (512, 8)},
    ),
    (
        call("aten.threshold_backward.default", tensor(2, 3, 4), tensor(2, 3, 4), 0),
        ("ReLU", "backward"),
        {"data": (2, 3, 4)},
    ),
    (call("aten.relu_.default", tensor(7)), ("IReLU", "forward"), {"data": (7,)}),
    (
        call("aten.add.Tensor", tensor(2, 3), 0.5),
        ("AddScalar", "forward"),
        {"data": (2, 3), "scalar": 0.5},
    ),
    (
        call("aten.sum.SymInt", tensor(2, 3), [0], TRUE),
        ("Sum", "forward"),
        {"data": (2, 3), "axis": 0},
    ),
    (
        call(
            "aten._to_copy.default", tensor(4, dtype="float16"),
            dtype=Constant("dtype", "float32"), device=Constant("device", "cuda"),
        ),
        ("Cast", "forward"),
        {"data": (4,), "dtype": "float16", "to": "float32"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("found", "named", "inputs"), DECLARED, ids=[item[0].operator for item in DECLARED]
)
def test_a_call_is_the_declaration_on_its_own_inputs(
    found: Call, named: tuple[str, str], inputs: dict[str, Any]
) -> None:
    """Shapes, element type and attributes are the call's."""
    declared = declared_call(found, ATEN)
    assert (declared.declaration, declared.direction) == named
    assert {name: declared.operator.inputs[name] for name in inputs} == inputs
    assert declared.dense == ()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            call("aten.convolution.default", DATA, FILTERS, None, [1, 2], *CONV[1:]),
            r"UnbiasedConv2D: stride\[1\] is 2, not stride, which is 1",
        ),
        (
            call("aten.convolution.default", DATA, tensor(64, 1, 3, 3), None, *CONV[:-1], 64),
            "UnbiasedConv2D: groups is 64, not 1",
        ),
        (
            call(
                "aten.convolution_backward.default",
                tensor(8, 64, 56, 56), DATA, FILTERS, [0], *CONV, [FALSE, TRUE, FALSE],
            ),
            r"Conv2DWeightGradient: bias=\(0,\)",
        ),
        (
            call("aten.gelu.default", tensor(4), approximate="tanh"),
            "GELU: approximate is 'tanh', not 'none'",
        ),
        (
            call("aten.embedding_dense_backward.default", tensor(2, 8), tensor(2, dtype="int64"),
                 9, 0, FALSE),
            "Embedding: padding_idx is 0, not -1",
        ),
        (
            call("aten.embedding.default", tensor(9, 8), tensor(2, dtype="int32")),
            "indices is a tensor int32",
        ),
        (
            call("aten.masked_fill.Scalar", tensor(3), tensor(3, dtype="bool"),
                 Constant("float", "-inf")),
            "value='-inf': must be a finite number",
        ),
        (call("aten.cat.default", [tensor(3)] * 3), "tensors is a list of 3 tensors, not a list"),
        (call("aten.mm.default", tensor(5, 7), tensor(7, 3), 4), "argument 2 is none"),
        (call("aten.mm.default", tensor(5, 7)), "it lacks the argument mat2"),
        (call("aten.mm.default", tensor(5, 7), 3.0), "mat2 is 3.0, not a tensor"),
        (call("aten.mm.default", tensor(5, 7), tensor(6, 3)), "lhs=|rhs="),
        (call("aten.add.Tensor", tensor(2), tensor(2, dtype="float64")), "not dtype, which is"),
        (call("aten.add.Tensor", tensor(2), tensor(2), alpha=2), "alpha is 2, not 1"),
        (call("aten.t.default", tensor(2, 3)), "moves no data"),
        (call("aten.no_such.default", tensor(2, 3)), "not declared"),
        (call("aten.upsample_bilinear2d.vec", tensor(1, 2, 3, 3), [6, 6], FALSE), "not known"),
    ],
)  # fmt: skip
def test_what_a_declaration_cannot_say_is_none_of_it(wrong: Call, said: str) -> None:
    """Nothing is approximated: the argument is named, with what the declaration has there."""
    with pytest.raises(UnsupportedError, match=said):
        declared_call(wrong, ATEN)


def test_what_lies_otherwise_in_memory_is_named() -> None:
    """The declaration's own tensors are contiguous; one axis of one element has no order."""
    transposed = declared_call(call("aten.add.Tensor", tensor(2, 3, strides=(1, 2)), 1), ATEN)
    assert transposed.dense == ("self",)
    column = tensor(5, 1, strides=(1, 5))
    assert declared_call(call("aten.mul.Tensor", column, tensor(5, 1)), ATEN).dense == ()
    gradient = tensor(2, 3, strides=(1, 2))
    backward = call("aten.threshold_backward.default", gradient, tensor(2, 3), 0)
    assert declared_call(backward, ATEN).dense == ("grad_output",)


def test_a_declaration_that_fits_is_preferred() -> None:
    """Such as one that another framework has."""
    product = call("aten.mm.default", tensor(5, 7), tensor(7, 3))
    assert declared_call(product, ATEN).dense == ()
    found = declared_call(product, ATEN, lambda one: one.declaration == "DotRightTransposed")
    assert (found.declaration, found.dense) == ("DotRightTransposed", ("mat2",))
    assert declared_call(product, ATEN, lambda _: FALSE).declaration == "Dot"


def test_the_category_is_that_of_the_declaration() -> None:
    """Of the operator's plainest one where no declaration says just this call."""
    assert category_of(call("aten.convolution.default", DATA, FILTERS, None, *CONV), "pytorch") == (
        "convolution"
    )
    odd = call("aten.convolution.default", DATA, FILTERS, None, [1, 2], *CONV[1:])
    assert category_of(odd, "pytorch") == "convolution"
    assert category_of(call("aten.t.default", tensor(2, 3)), "pytorch") == "view"
    assert category_of(call("aten.empty.memory_format", [2]), "pytorch") == "bookkeeping"
    assert category_of(call("aten.no_such.default"), "pytorch") == "aten"
    assert find_framework("numpy").calling.patterns("numpy.add") == {}


MXNET = find_framework("mxnet").calling
CHANNELS = {"layout": "NCHW", "num_filter": 64, "num_group": 1, "no_bias": TRUE}
WINDOW = {"kernel": [3, 3], "pad": [1, 1], "stride": [2, 2], "dilate": [1, 1]}
GLUON = [
    (
        call("Convolution", data=DATA, weight=FILTERS, **WINDOW, **CHANNELS),
        ("UnbiasedConv2D", "forward"),
        {"data": DATA.shape, "weight": FILTERS.shape, "stride": 2, "padding": 1},
    ),
    (
        call(
            "_backward_Convolution", tensor(8, 64, 28, 28), DATA, FILTERS, **WINDOW, **CHANNELS,
            out=[DATA, FILTERS],
        ),
        ("UnbiasedConv2D", "backward"),
        {"data": DATA.shape, "weight": FILTERS.shape, "stride": 2, "run_backward": TRUE},
    ),
    (
        call(
            "BatchNorm", data=DATA, gamma=tensor(64), beta=tensor(64), moving_mean=tensor(64),
            moving_var=tensor(64), axis=1, eps=1e-5, fix_gamma=FALSE, momentum=0.9,
            use_global_stats=FALSE, is_train=TRUE,
        ),
        ("BatchNorm", "forward_recorded"),
        {"data": DATA.shape, "eps": 1e-5, "momentum": 0.9},
    ),
    (
        call(
            "_backward_BatchNorm", DATA, tensor(64), tensor(64), DATA,
            *(tensor(64) for _ in range(4)), axis=1, eps=1e-5, fix_gamma=FALSE, momentum=0.9,
            use_global_stats=FALSE, out=[DATA, tensor(64), tensor(64)],
        ),
        ("BatchNorm", "backward"),
        {"data": DATA.shape, "gamma": (64,), "moving_var": (64,)},
    ),
    (
        call("Activation", data=DATA, act_type="relu"), ("ReLU", "forward"), {"data": DATA.shape},
    ),
    (
        call("_backward_Activation", DATA, DATA, act_type="relu", out=[DATA]),
        ("ReLU", "backward"),
        {"data": DATA.shape, "dtype": "float32"},
    ),
    (
        call(
            "Pooling", data=DATA, global_pool=FALSE, kernel=[3, 3], layout="NCHW", pad=[1, 1],
            pool_type="max", pooling_convention="valid", stride=[2, 2], is_train=TRUE,
        ),
        ("MaxPool2D", "forward"),
        {"data": DATA.shape, "kernel": (3, 3), "stride": 2, "padding": 1},
    ),
    (
        call(
            "FullyConnected", data=tensor(1, 512), weight=tensor(1000, 512), bias=tensor(1000),
            flatten=TRUE, no_bias=FALSE, num_hidden=1000,
        ),
        ("Dense", "forward"),
        {"data": (1, 512), "weight": (1000, 512), "bias": (1000,)},
    ),
    (
        call(
            "_backward_FullyConnected", tensor(1, 1000), tensor(1, 512), tensor(1000, 512),
            flatten=TRUE, no_bias=FALSE, num_hidden=1000,
            out=[tensor(1, 512), tensor(1000, 512), tensor(1000)],
        ),
        ("Dense", "backward"),
        {"data": (1, 512), "weight": (1000, 512), "bias": (1000,)},
    ),
    (call("elemwise_add", lhs=DATA, rhs=DATA), ("ElementwiseAdd", "forward"), {"lhs": DATA.shape}),
    (call("_grad_add", DATA, DATA), ("ElementwiseAdd", "forward"), {"lhs": DATA.shape}),
    (
        call("Concat", tensor(2, 3), tensor(2, 3), dim=1, num_args=2),
        ("Concat", "forward"),
        {"lhs": (2, 3), "rhs": (2, 3), "axis": 1},
    ),
    (
        call("_mul_scalar", data=tensor(2, 3), scalar=-1.0),
        ("MultiplyScalar", "forward"),
        {"data": (2, 3), "scalar": -1.0},
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("found", "named", "inputs"), GLUON, ids=[item[0].operator for item in GLUON]
)
def test_a_call_of_gluon_is_the_declaration_on_its_own_inputs(
    found: Call, named: tuple[str, str], inputs: dict[str, Any]
) -> None:
    """Forward and backward, as a capture of MXNet states them."""
    declared = declared_call(found, MXNET)
    assert (declared.declaration, declared.direction) == named
    assert {name: declared.operator.inputs[name] for name in inputs} == inputs


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            call("_backward_Convolution", DATA, DATA, FILTERS, **WINDOW, **CHANNELS,
                 out=[DATA, FILTERS], grad_req=["null", "write"]),
            "grad_req is ",
        ),
        (
            call("Convolution", data=DATA, weight=FILTERS, **WINDOW,
                 **{**CHANNELS, "layout": "NHWC"}),
            "layout is 'NHWC', not None",
        ),
        (
            call("FullyConnected", data=tensor(1, 8, 8), weight=tensor(5, 64), bias=tensor(5),
                 flatten=TRUE, no_bias=FALSE, num_hidden=5),
            "flatten is True|data is a tensor",
        ),
        (call("Activation", data=DATA, act_type="softrelu", nonsense=1), "argument nonsense"),
        (call("_minus_scalar", data=DATA, scalar=1.0), "not known"),
    ],
)  # fmt: skip
def test_what_mxnet_does_otherwise_is_none_of_ours(wrong: Call, said: str) -> None:
    """With the reason."""
    with pytest.raises(UnsupportedError, match=said):
        declared_call(wrong, MXNET)
    assert category_of(wrong, "mxnet")

"""What the older package took is taken, class by class, or refused with what to give instead."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import find_framework
from opperf.core.tensors.tensor import normal, uniform
from opperf.declaring.registry import find_operator, operators
from opperf.legacy.inputs import OLDER_INPUTS
from opperf.legacy.suites import OLDER_SUITES
from tests.legacy.older import OLDER

LONGEST_ERROR = 300

OTHERWISE = {
    "Arange": {"repeat": 1},
    "Dense": {"weight_initializer": "normal", "bias_initializer": "normal"},
    "PRelu": {"alpha_initializer": "normal"},
    "RNN": {"activation": "tanh"},
    "SoftmaxCrossEntropyLoss": {"sparse_label": True, "pred": (32, 1000), "label": (32,)},
    "TopK": {"ret_typ": "both", "is_ascend": False},
}
"""Where opperf's operator does not do what was the default: what it does, in the older words."""

TRANSLATED = [
    ("Power", {"base": (2, 3), "exp": (3,)}, {"lhs": (2, 3), "rhs": (3,)}),
    ("Power", {"base": (2, 3)}, {"lhs": (2, 3), "rhs": (2, 3)}),
    ("IMul", {"this": (4, 4), "other": (4,)}, {"lhs": (4, 4), "rhs": (4,)}),
    ("Full", {"shape": (2,), "val": 7}, {"shape": (2,), "value": 7.0}),
    ("Arange", {"start": 0.0, "stop": 5.0, "step": 1.0}, {"start": 0, "stop": 5, "step": 1}),
    ("CustomOpElementwiseAdd", {"data": (5, 1)}, {"lhs": (5, 1), "rhs": (5, 1)}),
    ("Dropout", {"rate": 0.25}, {"p": 0.25}),
    ("Sigmoid", {"data_initializer": "uniform"}, {"initializer": uniform}),
    ("Dense", {"units": 10}, {"weight": (10, 768), "bias": (10,)}),
    ("Dense", {"data": (4, 6), "units": 10}, {"weight": (10, 6), "bias": (10,)}),
    ("Dense", {"data": (4, 2, 3), "flatten": True}, {"data": (4, 6), "weight": (3072, 6)}),
    ("Conv2D", {"channels": 8}, {"weight": (8, 64, 3, 3), "bias": (8,)}),
    (
        "Conv2D",
        {"data": (1, 3, 9, 9), "channels": 8, "kernel_size": (5, 3), "strides": (2, 2)},
        {"weight": (8, 3, 5, 3), "bias": (8,), "stride": 2},
    ),
    ("Conv2D", {"kernel_size": 1, "padding": (0, 0)}, {"weight": (64, 64, 1, 1), "padding": 0}),
    ("Conv1D", {"kernel_size": 5, "strides": (3,)}, {"weight": (256, 256, 5), "stride": 3}),
    (
        "Conv2DTranspose",
        {"data": (1, 6, 5, 5), "channels": 3, "kernel_size": 2, "output_padding": (0, 0)},
        {"weight": (6, 3, 2, 2), "bias": (3,)},
    ),
    ("MaxPool2D", {"pool_size": 2, "strides": None}, {"kernel": (2, 2), "stride": 2}),
    ("AvgPool1D", {"pool_size": 4, "strides": 1, "padding": 0}, {"kernel": (4,), "stride": 1}),
    ("MaxPool2D", {"strides": 1, "padding": (1, 1)}, {"kernel": (3, 3), "padding": 1}),
    ("RNN", {"hidden_size": 7}, {"h2h_weight": (7, 7), "hidden": (1, 16, 7)}),
    (
        "LSTM",
        {"data": (5, 2, 10), "hidden_size": 7},
        {"i2h_weight": (28, 10), "h2h_weight": (28, 7), "hidden": (1, 2, 7), "cell": (1, 2, 7)},
    ),
    ("GRU", {"hidden_size": 7, "dropout": 0.0}, {"i2h_weight": (21, 256), "h2h_bias": (21,)}),
    ("Dot", {"transpose_a": False, "transpose_b": False}, {"lhs": (512, 768)}),
]

REFUSED = [
    ("Dot", {"transpose_b": True}, "transpose_b=True: must be False for Dot; measure DotRight"),
    ("Dot", {"transpose_a": True}, "measure DotLeftTransposed"),
    ("Sort", {"is_ascend": False}, "Sort: is_ascend=False: must be True for Sort"),
    ("TopK", {"is_ascend": True}, "it finds the largest"),
    ("TopK", {"ret_typ": "mask"}, "it returns values and positions"),
    ("ArgMax", {"keepdims": True}, "ArgMax: keepdims=True: must be False"),
    ("Arange", {"repeat": 10}, "Arange: repeat=10: must be 1"),
    ("Arange", {"step": 1.5}, "Arange: step=1.5: must be a whole number"),
    ("RNN", {"activation": "relu"}, "measure RNNReLU"),
    ("LSTM", {"bidirectional": True}, "opperf has one direction"),
    ("LSTM", {"hidden_size": "big"}, "LSTM: hidden_size='big': must be a whole number"),
    ("LSTM", {"hidden_size": 0}, "LSTM: hidden_size=0: every dimension must be at least 1"),
    ("Dense", {"units": True}, "Dense: units=True: must be a whole number"),
    ("Dense", {"units": 2**70}, "Dense: units=1180591620717411303424: "),
    ("Dense", {"units": 10, "bias": (11,)}, "units=10: bias=(11,) is given as well"),
    ("Dense", {"use_bias": False}, "measure DotRightTransposed"),
    ("Dense", {"activation": "relu"}, "measure DenseReLU"),
    ("Dense", {"flatten": 1}, "Dense: flatten=1: must be True or False"),
    ("Dense", {"weight_initializer": "Xavier"}, "unknown initializer 'Xavier'"),
    ("Conv2D", {"strides": (1, 2)}, "strides=(1, 2): must be the same along all axes"),
    ("Conv2D", {"strides": (1, None)}, "strides=(1, None): must be the same along all axes"),
    ("Conv2D", {"dilation": np.float32(2)}, "must be 1 for Conv2D; measure DilatedConv2D"),
    ("Power", {"exp": [3, 3], "rhs": np.float32(1)}, "is given as well; give one of them"),
    ("Arange", {"stop": 1e300}, "Arange: stop=1e+300: must be a whole number"),
    ("Conv2D", {"strides": ()}, "strides=(): must be the same along all axes"),
    ("Conv2D", {"strides": None}, "must be a whole number"),
    ("Conv2D", {"kernel_size": "3x3"}, "Conv2D: kernel_size='3x3': must be a shape"),
    ("Conv2D", {"kernel_size": (3, 3), "data": 3.5}, "Conv2D: data=3.5: must be a shape"),
    ("Conv2D", {"kernel_size": (3, 3, 3)}, "must have 4 dimensions"),
    ("Conv2D", {"kernel_size": 3, "weight": (1, 2, 3, 3)}, "weight=(1, 2, 3, 3) is given as well"),
    ("Conv2D", {"layout": "NHWC"}, "Conv2D: layout='NHWC': must be 'NCHW'"),
    ("Conv2D", {"dilation": 2}, "measure DilatedConv2D"),
    ("MaxPool2D", {"pool_size": (2, 3), "strides": None}, "must be the same along all axes"),
    ("L1Loss", {"weight": 0.5}, "losses are not weighted"),
    ("SoftmaxCrossEntropyLoss", {"sparse_label": False}, "a label is the number of a class"),
    (
        "L1Loss",
        {"pred_initializer": "normal", "label_initializer": "uniform"},
        "one initializer fills all tensors",
    ),
    ("Add", {"base": (2, 2)}, "unknown input 'base' of Add"),
    ("Add", {"lhs": np.zeros((3, 4))}, "Add: lhs is an array; give its shape, (3, 4)"),
]


def names_of(cases: list[tuple[str, dict[str, Any], Any]]) -> list[str]:
    """Return a name for each case."""
    return [f"{operator}-{'-'.join(given)}" for operator, given, _ in cases]


def refusal(name: str, given: dict[str, Any]) -> str:
    """Return why inputs are refused, nothing where they are taken."""
    try:
        find_operator(name)(inputs=given)
    except UsageError as error:
        return str(error)
    return ""


def test_all_classes_are_compared() -> None:
    """The table of the test holds the older suites' classes, which are 73."""
    in_suites = {name for names in OLDER_SUITES.values() for name in names}
    assert {find_operator(name).name() for name in OLDER} == in_suites
    assert len(OLDER) == 73
    assert set(OLDER_INPUTS) <= in_suites


@pytest.mark.parametrize("name", OLDER)
def test_no_older_name_is_unknown(name: str) -> None:
    """Each by itself is taken, or what is refused is its value."""
    said = [refusal(name, {given: value}) for given, value in OLDER[name][1].items()]
    assert [words for words in said if "unknown input" in words or "\n" in words] == []


@pytest.mark.parametrize("name", OLDER)
def test_the_older_defaults_are_taken(name: str) -> None:
    """All together, as they were, but for what the operator does otherwise."""
    given = {**OLDER[name][1], **OTHERWISE.get(name, {})}
    found = find_operator(name)(inputs=given)
    kept = {key for key in given if key in found.shapes}
    assert {key: found.inputs[key] for key in kept} == {key: given[key] for key in kept}
    assert found.outputs()


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_is_done_otherwise_is_refused(name: str) -> None:
    """Nothing else is measured under an older input's name."""
    with pytest.raises(UsageError):
        find_operator(name)(inputs=OLDER[name][1])


@pytest.mark.parametrize(("name", "given", "today"), TRANSLATED, ids=names_of(TRANSLATED))
def test_older_inputs_are_translated(
    name: str, given: dict[str, Any], today: dict[str, Any]
) -> None:
    """Into the inputs that say the same."""
    inputs = find_operator(name)(inputs=given).inputs
    assert {key: inputs[key] for key in today} == today


@pytest.mark.parametrize(("name", "given", "words"), REFUSED, ids=names_of(REFUSED))
def test_older_values_are_checked(name: str, given: dict[str, Any], words: str) -> None:
    """In one line, with what to give or to measure in their place."""
    with pytest.raises(UsageError) as caught:
        find_operator(name)(inputs=given)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "given"),
    [("Dense", "units"), ("Conv2D", "kernel_size"), ("Conv2D", "dilation"), ("Power", "base")],
)
def test_a_value_that_cannot_be_written_out_is_refused(name: str, given: str) -> None:
    """Python writes no number of 5000 digits; the error says its kind, in one short line."""
    with pytest.raises(UsageError) as caught:
        find_operator(name)(inputs={given: 10**5000, "dtype": "float32"})
    assert str(caught.value).startswith(f"{name}: ")
    assert len(str(caught.value)) <= LONGEST_ERROR


def test_given_inputs_stay_as_they_are() -> None:
    """The caller's dictionary is not changed."""
    given = {"channels": 8, "kernel_size": 3}
    operators()["Conv2D"](inputs=given)
    assert given == {"channels": 8, "kernel_size": 3}


def function(name: str, module: str) -> Any:
    """Return a function as frameworks have them, which would fail if it were called."""

    def filler(**_: object) -> None:
        raise NotImplementedError

    filler.__name__, filler.__module__ = name, module
    return filler


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (function("normal", "mxnet.ndarray.op"), normal),
        (function("_random_normal", "mxnet.ndarray.op"), normal),
        (function("uniform", "mxnet.ndarray.random"), uniform),
        (function("uniform_", "torch.nn.init"), uniform),
    ],
)
def test_a_framework_s_function_is_its_distribution(given: Any, found: Any) -> None:
    """Drawn by opperf, so that the values are the same on every framework."""
    add = operators()["Add"]
    assert add(inputs={"initializer": given}).inputs["initializer"] is found
    relu = operators()["LeakyReLU"]
    assert relu(inputs={"data_initializer": given}).inputs["initializer"] is found


def test_another_function_of_a_framework_is_refused() -> None:
    """Before it is called, in one line that says what to give."""
    with pytest.raises(UsageError, match=r"mxnet.ndarray.ones is not known .* give 'normal'"):
        operators()["Add"](inputs={"initializer": function("ones", "mxnet.ndarray")})


def test_mxnet_s_own_functions_are_known() -> None:
    """Those that the older package's users gave."""
    mxnet = find_framework("mxnet")
    if not mxnet.is_installed():
        pytest.skip("mxnet is not installed")
    mxnet.load(1)
    import mxnet.ndarray as nd

    for given in (nd.normal, nd.random.normal, nd.random_normal, nd.random.randn):
        assert operators()["Add"](inputs={"initializer": given}).inputs["initializer"] is normal
    for given in (nd.uniform, nd.random.uniform):
        assert operators()["Add"](inputs={"initializer": given}).inputs["initializer"] is uniform
    with pytest.raises(UsageError, match=r"mxnet.initializer.Xavier is not known here"):
        operators()["Dense"](inputs={"weight_initializer": sys.modules["mxnet"].init.Xavier()})
    with pytest.raises(UsageError, match=r"lhs is an array; give its shape, \(2, 3\)"):
        operators()["Add"](inputs={"lhs": nd.ones((2, 3))})


def test_an_array_under_a_long_name_is_refused_in_a_short_line() -> None:
    """Whatever is typed is quoted in part; the fuzzer found one of three thousand letters."""
    with pytest.raises(UsageError, match="is an array; give its shape") as caught:
        operators()["PowerScalar"](inputs={"x" * 3000: np.zeros((2, 3))})
    assert len(str(caught.value)) < 400

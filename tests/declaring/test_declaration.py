"""Declaring an operator: defaults, partial overrides, and every input that is refused."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.errors import UnsupportedError, UsageError
from opperf.core.frameworks.limitation import Limitation
from opperf.core.frameworks.limits import refuse_limitation
from opperf.core.frameworks.registry import find_framework
from opperf.core.frameworks.workload import DIRECTIONS
from opperf.core.tensors.tensor import normal, uniform
from opperf.declaring.registry import find_operator
from opperf.operators.arithmetic.arithmetic import Add, IMul
from opperf.operators.attention.interleaved import SelfAttentionValues
from opperf.operators.convolution.convolution import Conv2D, DepthwiseConv2D
from opperf.operators.exponential import Exp
from opperf.operators.fused.convolution import ConvReLU
from opperf.operators.gemm.gemm import Dense, Dot
from opperf.operators.indexing.elements import Gather
from opperf.operators.normalization.normalization import PER_CHANNEL, BatchNorm
from opperf.operators.normalization.standardization import GroupNorm, LayerNorm
from opperf.operators.optimizer.optimizer import SGDUpdate
from opperf.operators.random.random import NormalRandom
from opperf.operators.recurrent.gated import GRU, LSTM
from opperf.operators.reduction.reduction import Sum
from opperf.operators.softmax.softmax import Softmax
from opperf.operators.sorting.sorting import TopK

if TYPE_CHECKING:
    from opperf.declaring.declaration import Declaration


def test_inputs_are_readable_in_their_order() -> None:
    """Tensors first, then what fills them, as the older package shows them."""
    inputs = Add(inputs={"dtype": "float64"}).inputs
    assert list(inputs) == ["lhs", "rhs", "initializer", "run_backward", "dtype"]
    assert inputs["lhs"] == inputs["rhs"] == (1024, 1024)
    assert (inputs["run_backward"], inputs["dtype"]) == (True, "float64")
    assert inputs["initializer"] is normal


def test_attributes_stand_between_tensors_and_what_fills_them() -> None:
    """Every argument of an operator can be read and given by name."""
    names = list(Conv2D().inputs)
    assert names[:5] == ["data", "weight", "bias", "stride", "padding"]
    assert names[5:] == ["initializer", "run_backward", "dtype"]
    assert "initializer" not in NormalRandom().inputs


def test_an_override_is_partial_and_lasts_for_one_instance() -> None:
    """What is left out keeps its default, and the class's defaults never change."""
    kept = copy.deepcopy((Add.sizes, Add.attributes))
    assert Add(inputs={"lhs": (3, 1), "rhs": (4,)}).inputs["dtype"] == "float32"
    add = Add(inputs={"dtype": "float64"})
    add.inputs["lhs"] = (1,)
    assert Add().inputs["dtype"] == "float32"
    assert Add().inputs["lhs"] == (1024, 1024)
    assert kept == (Add.sizes, Add.attributes)


def test_given_inputs_are_not_changed() -> None:
    """The dictionary that a user hands in stays as it was, also when it holds lists and names."""
    given = {"lhs": [2, 2], "rhs": 2, "initializer": "uniform"}
    add = Add(inputs=given)
    assert given == {"lhs": [2, 2], "rhs": 2, "initializer": "uniform"}
    assert (add.inputs["lhs"], add.inputs["rhs"]) == ((2, 2), (2,))
    assert add.inputs["initializer"] is uniform


@pytest.mark.parametrize(
    ("inputs", "size"),
    [(None, "small"), ({"dtype": "float16"}, "small"), ({"run_backward": False}, "small")],
)
def test_a_size_keeps_its_name_while_its_shapes_are_its_own(
    inputs: dict[str, object] | None, size: str | None
) -> None:
    """Only a changed shape, attribute or filling makes it no longer that size."""
    assert Add(inputs=inputs, size="small").size == size
    assert Add(inputs={"lhs": (64, 64)}, size="small").size is None


def test_an_unknown_input_is_told_in_full() -> None:
    """The error names the operator, the key, the nearest match and what is allowed."""
    with pytest.raises(UsageError) as caught:
        Add(inputs={"lsh": (2, 2)})
    text = str(caught.value)
    assert all(word in text for word in ("Add", "'lsh'", "did you mean 'lhs'", "rhs", "dtype"))
    assert isinstance(caught.value, ValueError)


BAD = [
    (Add, {"lhs": (0, 4)}, "Add: lhs=(0, 4): every dimension must be at least 1"),
    (Add, {"rhs": (-1,)}, "Add: rhs=(-1,): every dimension must be at least 1"),
    (Add, {"lhs": "big"}, "Add: lhs='big': must be a shape"),
    (Add, {"lhs": (3, 3), "rhs": (2,)}, "does not broadcast with lhs=(3, 3)"),
    (Add, {"lhs": (2**40, 2**40)}, "Add: lhs="),
    (Add, {"dtype": "flaot32"}, "did you mean 'float32'"),
    (Add, {"dtype": "complex64"}, "unknown dtype 'complex64' for Add"),
    (Add, {"dtype": None}, "unknown dtype"),
    (Add, {"initializer": "zipf"}, "unknown initializer 'zipf'"),
    (Add, {"initializer": 3}, "unknown initializer 3"),
    (Add, {"run_backward": "yes"}, "Add: run_backward='yes': must be True or False"),
    (IMul, {"run_backward": True}, "IMul: run_backward=True: the operator has no backward"),
    (SGDUpdate, {"run_backward": True}, "SGDUpdate: run_backward=True"),
    (NormalRandom, {"run_backward": True}, "NormalRandom: run_backward=True"),
    (IMul, {"lhs": (4,), "rhs": (4, 4)}, "IMul: rhs=(4, 4): broadcasts beyond lhs"),
    (SGDUpdate, {"lr": math.nan}, "SGDUpdate: lr=nan: must be a finite number"),
    (SGDUpdate, {"grad": (3, 3), "weight": (4,)}, "SGDUpdate: grad=(3, 3): must be (4,)"),
    (BatchNorm, {"eps": 0}, "BatchNorm: eps=0"),
    (BatchNorm, {"eps": math.inf}, "BatchNorm: eps=inf: must be a finite number"),
    (BatchNorm, {"momentum": 1.5}, "BatchNorm: momentum=1.5: must lie in [0, 1]"),
    (BatchNorm, {"gamma": (3,), "data": (2, 4, 5, 5)}, "BatchNorm: gamma=(3,): must be (4,)"),
    (BatchNorm, {"data": (3, 3)}, "BatchNorm: data=(3, 3): must have 4 dimensions"),
    (Conv2D, {"data": (1, 4, 9, 9), "weight": (8, 3, 3, 3)}, "must have 4 channels, as data has"),
    (Conv2D, {"bias": (8,), "weight": (9, 64, 3, 3)}, "Conv2D: bias=(8,): must be (9,)"),
    (Conv2D, {"stride": 0}, "Conv2D: stride=0: must be at least 1"),
    (Conv2D, {"padding": -1}, "Conv2D: padding=-1: must be at least 0"),
    (Conv2D, {"data": (1, 64, 9, 9), "weight": (64, 64, 99, 99)}, "Conv2D: weight="),
    (ConvReLU, {"stride": 1.5}, "ConvReLU: stride=1.5: must be a whole number"),
    (Dot, {"rhs": (3, 3), "lhs": (5, 4)}, "Dot: rhs=(3, 3): must have 4 rows"),
    (Dot, {"lhs": (3, 3, 3)}, "Dot: lhs=(3, 3, 3): must have 2 dimensions"),
    (LSTM, {"cell": (1, 1, 1), "hidden": (1, 2, 3)}, "LSTM: cell=(1, 1, 1): must be (1, 2, 3)"),
    (Sum, {"axis": 2}, "Sum: axis=2: data has 2 dimensions"),
    (Sum, {"axis": -3}, "Sum: axis=-3"),
    (Softmax, {"axis": 10**30}, "Softmax: axis="),
    (TopK, {"k": 0}, "TopK: k=0: must lie in [1, 1024]"),
    (TopK, {"k": 1025}, "TopK: k=1025"),
    (TopK, {"k": math.nan}, "TopK: k=nan: must be a whole number"),
    (NormalRandom, {"scale": -1}, "NormalRandom: scale=-1"),
    (NormalRandom, {"shape": (4, 0)}, "NormalRandom: shape=(4, 0)"),
]


@pytest.mark.parametrize(
    ("operator", "inputs", "words"), BAD, ids=[f"{o.__name__}-{min(i)}" for o, i, _ in BAD]
)
def test_bad_inputs_are_refused_by_name(
    operator: type[Declaration], inputs: dict[str, Any], words: str
) -> None:
    """Nothing that cannot be run is accepted, and the error names operator, input and value."""
    with pytest.raises(UsageError) as caught:
        operator(inputs=inputs)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("inputs", [5, [("lhs", (2, 2))], "lhs", {"lhs"}])
def test_inputs_must_be_a_dictionary(inputs: Any) -> None:
    """Anything else is refused in words, not by whatever breaks first."""
    with pytest.raises(UsageError, match="must be a dictionary"):
        Add(inputs=inputs)


@pytest.mark.parametrize("size", ["smal", "", None, 3, ["small"]])
def test_an_unknown_size_is_refused(size: Any) -> None:
    """The error lists the sizes."""
    with pytest.raises(UsageError, match="large, skewed, small, typical"):
        Add(size=size)


FOLLOWING = [
    (Conv2D, {"data": (1, 3, 32, 32)}, {"weight": (64, 3, 3, 3), "bias": (64,)}),
    (Conv2D, {"data": (1, 3, 32, 32), "weight": (8, 3, 5, 5)}, {"bias": (8,)}),
    (Conv2D, {"bias": (8,)}, {"data": (4, 64, 56, 56), "weight": (8, 64, 3, 3)}),
    (DepthwiseConv2D, {"data": (1, 12, 9, 9)}, {"weight": (12, 1, 3, 3), "bias": (12,)}),
    (Dense, {"data": (4, 10)}, {"weight": (3072, 10), "bias": (3072,)}),
    (BatchNorm, {"data": (2, 5, 3, 3)}, dict.fromkeys(PER_CHANNEL, (5,))),
    (LayerNorm, {"data": (2, 3, 8)}, {"gamma": (8,), "beta": (8,)}),
    (Add, {"lhs": (3, 4, 5)}, {"rhs": (3, 4, 5)}),
    (Add, {"lhs": (3, 1), "rhs": (4,)}, {}),
    (Dot, {"lhs": (5, 7)}, {"rhs": (7, 768)}),
    (
        GRU,
        {"data": (5, 2, 10), "hidden": (1, 2, 7)},
        {"i2h_weight": (21, 10), "h2h_weight": (21, 7), "i2h_bias": (21,), "h2h_bias": (21,)},
    ),
    (SelfAttentionValues, {"projections": (8, 5, 24), "heads": 2}, {"shares": (10, 8, 8)}),
    (Gather, {"data": (64, 32)}, {"index": (9, 32)}),
]


@pytest.mark.parametrize(
    ("operator", "given", "rest"),
    FOLLOWING,
    ids=[f"{o.__name__}-{min(i)}" for o, i, _ in FOLLOWING],
)
def test_shapes_follow_from_those_given(
    operator: type[Declaration], given: dict[str, Any], rest: dict[str, object]
) -> None:
    """Parameters need not be given: equal dimensions, multiples, and indices within data."""
    found = operator(inputs=given)
    assert found.shapes == {
        **found.shapes,
        **rest,
        **{n: given[n] for n in found.shapes if n in given},
    }
    assert found.size is None


def test_a_contradiction_is_about_what_is_given() -> None:
    """Not about a shape that nobody gave, nor one that follows."""
    with pytest.raises(UsageError, match=r"weight=\(8, 4, 3, 3\): must have 3 channels"):
        Conv2D({"data": (1, 3, 32, 32), "weight": (8, 4, 3, 3)})
    with pytest.raises(UsageError, match="groups=8: must divide the 6 channels"):
        GroupNorm({"data": (1, 6, 4, 4)})


def test_a_default_that_fits_is_kept() -> None:
    """Of several shapes that would do, the usual one: what was measured before is so still."""
    assert Conv2D({"data": (1, 64, 9, 9)}).shapes["weight"] == (64, 64, 3, 3)
    assert Add({"lhs": (1, 1024)}).shapes["rhs"] == (1024, 1024)


def test_a_scalar_is_a_shape() -> None:
    """A tensor without dimensions is allowed where the operator can take one."""
    assert Add(inputs={"lhs": (), "rhs": (2, 3)}).outputs() == ((2, 3),)
    with pytest.raises(UsageError, match="Sum: axis=1: data has 0 dimensions"):
        Sum(inputs={"data": ()})


def test_counts_follow_the_shapes() -> None:
    """FLOP and bytes are those of the inputs that were given, by direction."""
    dot = Dot(inputs={"lhs": (2, 3), "rhs": (3, 5), "dtype": "float64"})
    assert dot.flop_count() == 2 * 2 * 3 * 5
    assert dot.byte_count() == (6 + 15 + 10) * 8
    assert dot.counts()["backward"][0] == 2 * dot.flop_count()
    assert dot.counts()["forward_backward"][0] == 3 * dot.flop_count()
    assert Conv2D(size="small").flop_count() == 2 * (8 * 16 * 16) * (8 * 3 * 3)


def test_directions_are_those_of_the_inputs() -> None:
    """Four where there is a gradient, else only the forward, and never a backward label."""
    assert Add().directions() == DIRECTIONS
    assert Add(inputs={"run_backward": False}).directions() == ("forward",)
    assert IMul().directions() == ("forward",)
    assert len(ConvReLU().rows()) == 2 * len(DIRECTIONS)


@pytest.mark.parametrize("dtype", ["int64", "int32", "int8"])
def test_whole_numbers_have_no_backward(dtype: str) -> None:
    """No framework differentiates by integers: there is one direction."""
    assert Add(inputs={"dtype": dtype}).directions() == ("forward",)


def test_a_dtype_that_the_operator_lacks_is_unsupported() -> None:
    """It is a row that says so, not an error of the command."""
    exp = Exp(inputs={"dtype": "int32"})
    with pytest.raises(UnsupportedError, match="Exp has no int32 form; it has: float64"):
        refuse_limitation(exp, find_framework("mxnet"), "forward", variant="only")


def test_a_limitation_holds_where_all_its_conditions_do() -> None:
    """Left-out conditions match everything."""
    gap = Limitation(words="no", dtypes=("float64",), directions=("backward",))
    assert gap.holds("float64", "backward", variant="only")
    assert not gap.holds("float32", "backward", variant="only")
    assert not gap.holds("float64", "forward", variant="only")
    fused = Limitation(words="no", variant="fused")
    assert fused.holds("int8", "forward", variant="fused")
    assert not fused.holds("int8", "forward", variant="unfused")


def test_the_dtype_may_be_given_as_a_type() -> None:
    """NumPy's types stand for their names."""
    assert Add(inputs={"dtype": np.float64}).dtype == "float64"
    assert Add(inputs={"dtype": np.dtype("float16")}).dtype == "float16"


REFUSED: dict[str, dict[str, object]] = {
    "GLU": {"data": ()},
    "BooleanMask": {"data": ()},
    "SliceAxis": {"data": ()},
    "SliceScatter": {"src": ()},
    "ArraySplit": {"data": ()},
    "SplitSizes": {"data": ()},
    "Unbind": {"data": (2**31, 2)},
    "Split": {"data": (2**40,), "num_outputs": 2**40},
    "HSplit": {"data": (1, 2**40), "sections": 2**40},
    "Add": {"lhs": (1,) * 33, "rhs": (1,) * 33},
    "ExpandDims": {"data": (1,) * 32},
    "OneHot": {"depth": 2**62},
    "Arange": {"start": -(10**30)},
    "ParetoRandom": {"a": 1e308},
    "WeibullRandom": {"a": 1e6},
    "NegativeBinomialRandom": {"p": 1e-320},
    "NormalRandom": {"scale": 1e-320, "shape": (1,) * 33},
    "LogisticRandom": {"scale": 1e308, "loc": 1e308},
    "RandInt": {"high": 10**30},
    "TriuIndices": {"rows": 10**30},
    "Cast": {"to": [1]},
    "MatrixPower": {"n": 10**5000},
}
"""Inputs that ended in a traceback, in a hang, or with the parent's memory full."""


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_computed_with_is_refused_in_one_line(name: str) -> None:
    """It names the operator and a value that was given, and nothing is built first."""
    with pytest.raises(UsageError, match=f"^{name}: ") as caught:
        find_operator(name)(REFUSED[name])
    assert str(caught.value).isprintable()
    assert any(f"{given}=" in str(caught.value) for given in REFUSED[name])


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        ("TriuIndices", {"rows": 2**31, "columns": 2**30}),
        ("TrilIndices", {"rows": 2**31, "columns": 2**30}),
        ("Triu", {"data": (2**31, 2**30)}),
        ("Tril", {"data": (2**31, 2**30)}),
    ],
)
def test_counts_of_large_matrices_are_arithmetic(name: str, inputs: dict[str, object]) -> None:
    """No row is gone through: that took minutes a billion rows."""
    operator = find_operator(name)(inputs)
    assert operator.byte_count() > 2**60


def test_axes_are_counted_from_zero() -> None:
    """A tuple of axes is no shape: it may, and must, hold a zero."""
    transpose = find_operator("Transpose")({"data": (2, 3), "axes": (1, 0)})
    assert transpose.outputs() == ((3, 2),)
    with pytest.raises(UsageError, match="must be at least 0"):
        find_operator("Transpose")({"data": (2, 3), "axes": (1, -2)})

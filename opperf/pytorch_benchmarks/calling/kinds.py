"""What the tensors of a call hold, where the calls file does not say: by operator and argument.

A calls file that was read from a log has shapes and element types only. What an operator refuses
(an index beyond its table) or makes no number of (the root of a negative one) is kept away from it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from opperf.calls.format.values import CallTensor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Named = Mapping[str, Any]


def classes(scores: CallTensor) -> int:
    """Return the number of classes: the second axis, of one example the only one."""
    return scores.shape[min(1, len(scores.shape) - 1)]


def plane(data: CallTensor, axes: int) -> int:
    """Return the elements of the last axes together."""
    return prod(data.shape[-axes:])


def along(given: Named) -> int:
    """Return the size of the first tensor along `dim`."""
    data, dim = given["self"], given["dim"]
    return data.shape[dim] if data.shape else 1


INDICES: Mapping[str, Callable[[Named], int]] = MappingProxyType(
    {
        "embedding": lambda given: given["weight"].shape[0],
        "embedding_dense_backward": lambda given: given["num_weights"],
        "_embedding_bag": lambda given: given["weight"].shape[0],
        "_embedding_bag_forward_only": lambda given: given["weight"].shape[0],
        "_embedding_bag_dense_backward": lambda given: given["num_weights"],
        "nll_loss_forward": lambda given: classes(given["self"]),
        "nll_loss_backward": lambda given: classes(given["self"]),
        "nll_loss2d_forward": lambda given: classes(given["self"]),
        "nll_loss2d_backward": lambda given: classes(given["self"]),
        "max_pool2d_with_indices_backward": lambda given: plane(given["self"], 2),
        "max_pool3d_with_indices_backward": lambda given: plane(given["self"], 3),
        "gather": along,
        "gather_backward": along,
        "scatter": along,
        "scatter_": along,
        "scatter_add": along,
        "scatter_add_": along,
        "scatter_reduce": along,
        "index_select": along,
        "index_add": along,
        "index_add_": along,
        "index_copy": along,
        "index_fill": along,
        "take": lambda given: given["self"].elements,
    }
)
"""What the indices of an operator lie below; they are its whole numbers."""
OFFSETS: Mapping[str, Callable[[Named], Mapping[str, Any]]] = MappingProxyType(
    {"offsets": lambda given: {"kind": "offsets", "below": given["indices"].elements + 1}}
)
BAGS: Mapping[str, Mapping[str, Callable[[Named], Mapping[str, Any]]]] = MappingProxyType(
    {
        "_embedding_bag": OFFSETS,
        "_embedding_bag_forward_only": OFFSETS,
        "_embedding_bag_dense_backward": {
            "offset2bag": lambda given: {"kind": "indices", "below": given["grad"].shape[0]},
            "bag_size": lambda _given: {"kind": "ones"},
        },
    }
)
"""Where each bag of an embedding begins, and to which one an index belongs."""
BY_AXIS = (
    "index",
    "_unsafe_index",
    "index_put",
    "index_put_",
    "_unsafe_index_put",
    "_index_put_impl_",
)
"""Those whose `indices` has one tensor an axis."""
POSITIVE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "rsqrt": ("self",), "sqrt": ("self",), "log": ("self",), "log2": ("self",),
        "log10": ("self",), "log1p": ("self",), "pow": ("self",), "reciprocal": ("self",),
        "rsqrt_": ("self",), "sqrt_": ("self",), "log_": ("self",), "pow_": ("self",),
        "reciprocal_": ("self",), "lgamma": ("self",), "digamma": ("self",), "div": ("other",),
        "div_": ("other",), "remainder": ("other",), "fmod": ("other",), "floor_divide": ("other",),
        "addcdiv": ("tensor2",), "addcdiv_": ("tensor2",), "_foreach_sqrt": ("self",),
        "_foreach_sqrt_": ("self",), "_foreach_div": ("other",), "_foreach_div_": ("other",),
        "_foreach_addcdiv_": ("tensor2",), "_foreach_reciprocal_": ("self",),
        "native_batch_norm": ("running_var",), "_native_batch_norm_legit": ("running_var",),
        "native_batch_norm_backward": ("running_var", "save_invstd"),
        "cudnn_batch_norm": ("running_var",),
        "_native_batch_norm_legit_no_training": ("running_var",),
        "native_layer_norm_backward": ("rstd",), "native_group_norm_backward": ("rstd",),
        "_fused_adam_": ("exp_avg_sqs", "max_exp_avg_sqs", "state_steps"),
        "_fused_adamw_": ("exp_avg_sqs", "max_exp_avg_sqs", "state_steps"),
        "norm_backward": ("norm",),
    }
)  # fmt: skip
PROBABILITIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "bernoulli": ("self", "p"), "bernoulli_": ("p",), "multinomial": ("self",),
        "binary_cross_entropy": ("self", "target"),
        "binary_cross_entropy_backward": ("self", "target"),
        "sigmoid_backward": ("output",), "_softmax_backward_data": ("output",),
        "logit": ("self",),
    }
)  # fmt: skip
NUMBER = re.compile(r"(?P<name>.*)\[(?P<number>\d+)\]")


def values_of(
    operator: str, name: str, tensor: CallTensor, given: Named
) -> Mapping[str, Any] | None:
    """Return how a tensor of a call is filled, None for as usual.

    Args:
        operator: the operator's name, without namespace and overload.
        name: the argument's, numbered in a list.
        tensor: the tensor.
        given: all arguments by name.

    """
    if tensor.values is not None:
        return tensor.values
    numbered = NUMBER.fullmatch(name)
    argument = numbered["name"] if numbered else name
    for kind, table in (("positive", POSITIVE), ("probabilities", PROBABILITIES)):
        if argument in table.get(operator, ()):
            return {"kind": kind}
    if not tensor.dtype.startswith("int"):
        return None
    try:
        if find := BAGS.get(operator, {}).get(argument):
            return find(given)
        if operator in BY_AXIS and numbered:
            below = given["self"].shape[int(numbered["number"])]
        else:
            below = INDICES[operator](given)
    except (KeyError, IndexError):  # nobody knows, or an overload of other arguments
        return None
    return {"kind": "indices", "below": below}


def filled(operator: str, given: Named) -> dict[str, Any]:
    """Return the arguments with each tensor's values stated."""

    def put(name: str, value: Any) -> Any:
        if isinstance(value, list):
            return [put(f"{name}[{number}]", item) for number, item in enumerate(value)]
        if isinstance(value, CallTensor):
            return replace(value, values=values_of(operator, name, value, given))
        return value

    return {name: put(name, value) for name, value in given.items()}

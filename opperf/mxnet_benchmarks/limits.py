"""Limitations of MXNet that tables of several categories share."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Any

from opperf.core.frameworks.limitation import (
    BACKWARD,
    FORWARD,
    Limitation,
    SizeThreshold,
    along_axis,
    rounded_sums,
)

SINGLE_PRECISION = Limitation(
    dtypes=("float64",),
    words="of the scale, allowed 1e-09",
    note="its float64 form is only as exact as float32",
)
"""It computes some functions in float32, or with constants of it, in float64 too."""
NO_SUBGRAPH = Limitation(
    variant="fused",
    words="mxnet did not fuse",
    note="its oneDNN backend has no such subgraph, and others run on GPUs",
)


def bfloat16_as_integer(words: str, *directions: str) -> Limitation:
    """Return the limitation that its NumPy interface takes bfloat16 for an integer dtype."""
    return Limitation(
        dtypes=("bfloat16",),
        directions=directions,
        words=words,
        note="its NumPy interface takes bfloat16 for whole numbers",
    )


def no_gradient(name: str) -> Limitation:
    """Return the limitation that its NumPy interface returns zeros for a gradient."""
    return Limitation(
        directions=BACKWARD,
        words=f"gradient by {name} is 0 where",
        note="its NumPy interface has no gradient of this, and hands back zeros",
    )


def unsafe_sums(beyond: SizeThreshold, directions: tuple[str, ...]) -> Limitation:
    """Return the limitation of float16 sums without MXNET_SAFE_ACCUMULATION.

    The variable is not set here: float32 would then be summed in float64, which takes longer.
    """
    found = rounded_sums("float16", beyond, directions)
    return replace(found, note=f"{found.note}, unless MXNET_SAFE_ACCUMULATION=1")


def classes(operator: Any) -> int:
    """Return the number of classes of a loss."""
    return int(operator.inputs["pred"][1])


def samples(operator: Any) -> int:
    """Return the number of samples that a loss sums."""
    return int(operator.inputs["pred"][0])


def steps(operator: Any) -> int:
    """Return the length of a recurrent layer's sequence."""
    return int(operator.inputs["data"][0])


def row_length(operator: Any) -> int:
    """Return the number of elements in a row of a matrix."""
    return int(operator.inputs["data"][1])


def group_size(operator: Any) -> int:
    """Return the number of elements that a group normalization normalizes together."""
    return int(prod(operator.inputs["data"][1:]) // operator.inputs["groups"])


def bin_size(operator: Any) -> int:
    """Return the number of elements in a bin of adaptive pooling, without overlaps."""
    inputs = operator.inputs
    return int(prod(inputs["data"][2:]) // prod(inputs["output_size"]))


def selection_size(operator: Any) -> int:
    """Return the number of selected elements; the more, the more often one repeats."""
    return prod(operator.outputs()[0])


SOFTMAX_SUMS = unsafe_sums(along_axis(1024), FORWARD), unsafe_sums(along_axis(256), BACKWARD)
CLASS_SUMS = (
    unsafe_sums(SizeThreshold(4096, "classes", classes), FORWARD),
    unsafe_sums(SizeThreshold(1024, "classes", classes), BACKWARD),
)

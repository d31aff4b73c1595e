"""What MXNet cannot do or does wrongly, where tables of several categories share it."""

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
    fused=True,
    words="mxnet did not fuse",
    note="its oneDNN backend has no such subgraph, and others run on GPUs",
)


def taken_for_whole(words: str, *directions: str) -> Limitation:
    """Return the limitation of its NumPy interface where that takes bfloat16 for an integer."""
    return Limitation(
        dtypes=("bfloat16",),
        directions=directions,
        words=words,
        note="its NumPy interface takes bfloat16 for whole numbers",
    )


def no_gradient(name: str) -> Limitation:
    """Return the limitation of its NumPy interface where zeros stand for a gradient."""
    return Limitation(
        directions=BACKWARD,
        words=f"gradient by {name} is 0 where",
        note="its NumPy interface has no gradient of this, and hands back zeros",
    )


def unsafe_sums(beyond: SizeThreshold, directions: tuple[str, ...]) -> Limitation:
    """Return the limitation of its float16 sums that an environment variable lifts.

    It is not set here: float32 is then added up in float64, which takes longer.
    """
    found = rounded_sums("float16", beyond, directions)
    return replace(found, note=f"{found.note}, unless MXNET_SAFE_ACCUMULATION=1")


def classes(operator: Any) -> int:
    """Return how many classes a loss chooses among."""
    return int(operator.inputs["pred"][1])


def samples(operator: Any) -> int:
    """Return how many samples a loss adds up."""
    return int(operator.inputs["pred"][0])


def steps(operator: Any) -> int:
    """Return the length of a recurrent layer's sequence."""
    return int(operator.inputs["data"][0])


def row_length(operator: Any) -> int:
    """Return how many elements a row of a matrix has."""
    return int(operator.inputs["data"][1])


def group_size(operator: Any) -> int:
    """Return how many elements a group normalization normalizes together."""
    return int(prod(operator.inputs["data"][1:]) // operator.inputs["groups"])


def bin_size(operator: Any) -> int:
    """Return how many elements an adaptive pooling's bin has, overlaps left out."""
    inputs = operator.inputs
    return int(prod(inputs["data"][2:]) // prod(inputs["output_size"]))


def taken(operator: Any) -> int:
    """Return how many elements are chosen; the more they are, the more often some are."""
    return prod(operator.outputs()[0])


SOFTMAX_SUMS = unsafe_sums(along_axis(1024), FORWARD), unsafe_sums(along_axis(256), BACKWARD)
CLASS_SUMS = (
    unsafe_sums(SizeThreshold(4096, "classes", classes), FORWARD),
    unsafe_sums(SizeThreshold(1024, "classes", classes), BACKWARD),
)

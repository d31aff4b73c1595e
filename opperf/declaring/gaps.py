"""Limitations that many operators share."""

from opperf.core.frameworks.limitation import Limitation

SINGLE_PRECISION = Limitation(
    framework="mxnet",
    dtypes=("float64",),
    words="of the scale, allowed 1e-09",
    note="its float64 form is only as exact as float32",
)
"""MXNet computes some functions in float32, or with constants of it, in float64 too."""


def taken_for_whole(words: str, *directions: str) -> Limitation:
    """Return the limitation of MXNet's NumPy interface where it takes bfloat16 for an integer."""
    return Limitation(
        framework="mxnet",
        dtypes=("bfloat16",),
        directions=directions,
        words=words,
        note="its NumPy interface takes bfloat16 for whole numbers",
    )


def no_gradient(name: str) -> Limitation:
    """Return the limitation of MXNet's NumPy interface where zeros stand for a gradient."""
    return Limitation(
        framework="mxnet",
        directions=("backward", "forward_backward"),
        words=f"gradient by {name} is 0 where",
        note="its NumPy interface has no gradient of this, and hands back zeros",
    )

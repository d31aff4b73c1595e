"""Limitations that many operators share."""

from opperf.core.limitation import Limitation

ONLY_PYTORCH, ONLY_MXNET = (
    (
        Limitation(
            framework=lacking,
            words=f"{lacking} has no implementation",
            note="it has no such operator",
        ),
    )
    for lacking in ("mxnet", "pytorch")
)
"""The limitations of an operator that stands in one table only."""

SINGLE_PRECISION = Limitation(
    framework="mxnet",
    dtypes=("float64",),
    words="of the scale, allowed 1e-09",
    note="its float64 form is only as exact as float32",
)
"""MXNet computes some functions in float32, or with constants of it, in float64 too."""

BFLOAT16_IS_INT = Limitation(
    framework="mxnet",
    dtypes=("bfloat16",),
    words="Do not support `int` as input",
    note="its NumPy interface takes bfloat16 for whole numbers",
)

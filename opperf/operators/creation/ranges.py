"""Number sequences, window functions, the identity matrix and triangle indices."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_TERMS
from opperf.core.tensors.tensor import WIDE
from opperf.declaring.counts import on_and_above_diagonal, on_and_below_diagonal
from opperf.declaring.declaration import Declaration
from opperf.declaring.elementwise import SHAPES

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Array, Shape


LENGTHS = {size: prod(shape) for size, shape in SHAPES.items()}
WINDOWS = {"small": 256, "typical": 1024, "large": 65536, "skewed": 1021}


def linspace(*, start: float, stop: float, num: int, dtype: str = "float64") -> Array:
    """Return num evenly spaced numbers from start to stop, both included."""
    return np.linspace(start, stop, num, dtype=dtype)


def logspace(*, start: float, stop: float, num: int, dtype: str = "float64") -> Array:
    """Return 10^x of num evenly spaced x from start to stop, both included."""
    return np.logspace(start, stop, num, dtype=dtype)


def identity(*, rows: int, columns: int, dtype: str = "float64") -> Array:
    """Return a matrix with ones on the diagonal, zeros elsewhere."""
    return np.eye(rows, columns, dtype=dtype)


def blackman(*, length: int, dtype: str = "float64") -> Array:
    """Return the symmetric Blackman window."""
    return np.blackman(length).astype(dtype)


def hamming(*, length: int, dtype: str = "float64") -> Array:
    """Return the symmetric Hamming window."""
    return np.hamming(length).astype(dtype)


def hanning(*, length: int, dtype: str = "float64") -> Array:
    """Return the symmetric Hann window."""
    return np.hanning(length).astype(dtype)


def lower_triangle(*, rows: int, columns: int, dtype: str = "int64") -> Array:
    """Return row and column of each position on and below the diagonal."""
    return np.asarray(np.tril_indices(rows, m=columns), dtype=dtype)


def upper_triangle(*, rows: int, columns: int, dtype: str = "int64") -> Array:
    """Return row and column of each position on and above the diagonal."""
    return np.asarray(np.triu_indices(rows, m=columns), dtype=dtype)


class GeneratedTensor(Declaration, abstract=True):
    """A new tensor computed from a few numbers."""

    dtypes: ClassVar[tuple[str, ...]] = WIDE
    differentiable = False
    flops_per_element = 2  # a multiplication and an addition


class LinSpace(GeneratedTensor):
    """num evenly spaced numbers from start to stop.

    As many as the elements of element-wise operators.
    """

    attributes = {"start": -1.0, "stop": 1.0, "num": LENGTHS["typical"]}
    sizes = {size: {"num": num} for size, num in LENGTHS.items()}
    reference = linspace
    tolerance = CANCELING_TERMS.because("near zero, a multiple of a rounded step")

    def outputs(self) -> tuple[Shape, ...]:
        """Return (num,)."""
        self.require(self.inputs["num"] > 1, "num", "must be more than 1")
        return ((self.inputs["num"],),)


class LogSpace(LinSpace):
    """10^x of num evenly spaced x from start to stop."""

    reference = logspace


class Eye(GeneratedTensor):
    """Identity matrix of rows x columns."""

    attributes = {"rows": 1024, "columns": 1024}
    sizes = {size: {"rows": rows, "columns": columns} for size, (rows, columns) in SHAPES.items()}
    reference = identity
    flops_per_element = 0  # filling is no arithmetic

    def outputs(self) -> tuple[Shape, ...]:
        """Return rows and columns."""
        for name in ("rows", "columns"):
            self.require(self.inputs[name] >= 1, name, "must be at least 1")
        return ((self.inputs["rows"], self.inputs["columns"]),)


class SignalWindow(GeneratedTensor, abstract=True):
    """A symmetric window function. Typical is that of speech at 16 kHz for 64 ms."""

    attributes = {"length": WINDOWS["typical"]}
    sizes = {size: {"length": length} for size, length in WINDOWS.items()}
    tolerance = CANCELING_TERMS.because("cosines that add up to zero at the ends")

    def outputs(self) -> tuple[Shape, ...]:
        """Return the window's length."""
        self.require(self.inputs["length"] > 1, "length", "must be more than 1")
        return ((self.inputs["length"],),)


class Blackman(SignalWindow):
    """Blackman window: 0.42 - 0.5 cos(t) + 0.08 cos(2t)."""

    reference = blackman


class Hamming(SignalWindow):
    """Hamming window: 0.54 - 0.46 cos(t)."""

    reference = hamming


class Hanning(SignalWindow):
    """Hann window: 0.5 - 0.5 cos(t)."""

    reference = hanning


class TrilIndices(Eye):
    """Row and column indices of a matrix's lower triangle."""

    reference = lower_triangle
    dtypes = ("int64", "int32")

    def outputs(self) -> tuple[Shape, ...]:
        """Return (2, positions)."""
        ((rows, columns),) = super().outputs()
        return ((2, on_and_below_diagonal(rows, columns)),)


class TriuIndices(Eye):
    """Row and column indices of a matrix's upper triangle."""

    reference = upper_triangle
    dtypes = ("int64", "int32")

    def outputs(self) -> tuple[Shape, ...]:
        """Return (2, positions)."""
        ((rows, columns),) = super().outputs()
        return ((2, on_and_above_diagonal(rows, columns)),)

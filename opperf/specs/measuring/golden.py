"""Outputs against golden ones: how far they are from them, and whether that is too far."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.checking.correctness import Comparison
from opperf.specs.measuring.arrays import HELD_AS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.checking.correctness import Outputs
    from opperf.core.tensors.tensor import Array

TOLERANCES = MappingProxyType(
    {
        "float64": (1e-6, 1e-8), "float32": (1e-3, 1e-5), "float16": (1e-2, 1e-3),
        "bfloat16": (5e-2, 1e-2), "complex64": (1e-3, 1e-5), "complex128": (1e-6, 1e-8),
    }
)  # fmt: skip
"""rtol and atol of an element type, where a test states none. A whole network's roundings add up,
and two frameworks sum in another order; whole numbers and truth values are exact."""

LARGEST = 1e300
"""Of an error that a record can hold; also what stands for a share of zero."""


@dataclass(frozen=True)
class GoldenOutputs:
    """A test's golden outputs, and how far others may be from them.

    That is |output - golden| <= atol + rtol * |golden|, as NumPy's allclose has it. They are
    by name where the model names its outputs so, else by position.
    """

    arrays: Mapping[str, Array]
    rtol: float | None = None
    atol: float | None = None
    names: Sequence[str] = field(default_factory=list)

    def compare(self, outputs: Outputs) -> Comparison:
        """Return the largest errors of all outputs, and the first fault."""
        found = Comparison()
        for number, (name, golden) in enumerate(self.arrays.items()):
            position = self.position(name, number)
            if position is None or position >= len(outputs):
                return Comparison(fault=f"there is no output {name!r}: {self.there(outputs)}")
            dtype = outputs.dtypes[position]
            found = found.worst(self.compare_one(name, outputs[position], dtype, golden))
        return found

    def others(self, outputs: Outputs) -> list[Array]:
        """Return the outputs that no golden one is of."""
        known = {self.position(name, number) for number, name in enumerate(self.arrays)}
        return [one for position, one in enumerate(outputs) if position not in known]

    def position(self, name: str, number: int) -> int | None:
        """Return which output a golden one is of, None where there is none of its name."""
        if name in self.names:
            return [*self.names].index(name)
        if name.isdecimal():
            return int(name)
        return None if self.names else number

    def there(self, outputs: Outputs) -> str:
        """Return which outputs there are."""
        named = ", ".join(map(repr, self.names))
        return f"the model has {len(outputs)}" + (f": {named}" if named else "")

    def compare_one(self, name: str, actual: Array, dtype: str, golden: Array) -> Comparison:
        """Compare one output, whose shape, element type and infinities must be the golden one's."""
        what = f"output {name!r}"
        if actual.shape != golden.shape:
            return Comparison(fault=f"{what} has shape {actual.shape}, golden is {golden.shape}")
        if HELD_AS.get(dtype, dtype) != str(golden.dtype):
            return Comparison(fault=f"{what} is of {dtype}, golden is of {golden.dtype}")
        infinite = np.isinf(golden)
        if not np.array_equal(actual[infinite], golden[infinite]):
            return Comparison(fault=f"{what} differs from golden in its infinite values")
        if wrong := int((~np.isfinite(actual[~infinite])).sum()):
            return Comparison(
                fault=f"{what} is NaN or infinite in {wrong} of {golden.size} values where golden"
                " is finite"
            )
        return self.compare_finite(what, actual[~infinite], golden[~infinite], dtype)

    def compare_finite(self, what: str, actual: Array, golden: Array, dtype: str) -> Comparison:
        """Compare values that are all finite."""
        if not golden.size:
            return Comparison()
        wide: Any = complex if golden.dtype.kind == "c" else np.longdouble
        actual, golden = actual.astype(wide), golden.astype(wide)
        error, size = np.abs(actual - golden).astype(float), np.abs(golden).astype(float)
        usual = TOLERANCES.get(dtype, (0.0, 0.0))
        rtol, atol = (
            default if own is None else own
            for own, default in zip((self.rtol, self.atol), usual, strict=True)
        )
        excess = error - (atol + rtol * size)
        at = int(excess.argmax())
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            relative = np.where(error > 0, error / size, 0.0)
        largest, share = (min(float(each.max()), LARGEST) for each in (error, relative))
        if excess[at] <= 0:
            return Comparison(largest, share)
        return Comparison(
            largest,
            share,
            f"{what} is {actual[at]:.9g} where golden is {golden[at]:.9g} (error "
            f"{error[at]:.2g}, allowed {atol + rtol * size[at]:.2g}); {int((excess > 0).sum())} of "
            f"{golden.size} values are too far",
        )

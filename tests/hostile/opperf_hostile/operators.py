"""For each attack an operator that makes it, and an innocent one that comes right after it."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.frameworks.implementation import Implementation, Table, native
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf_hostile.attacks import ATTACKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Shape

SIZES = ("small", "typical", "large", "skewed")


class Base(Declaration, abstract=True):
    """An operator of one small tensor; it declares no `reference`, so it is none itself."""

    category = "hostile"
    differentiable = False
    tensors: ClassVar = {"data": Tensor()}
    sizes: ClassVar = {size: {"data": (number, 4)} for number, size in enumerate(SIZES, start=1)}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the tensor's own shape."""
        return (self.inputs["data"],)

    def flop_count(self) -> int:
        """Return one operation an element."""
        return prod(self.inputs["data"])


def declared(name: str, text: str) -> type[Declaration]:
    """Return an operator that returns its tensor, in principle."""
    fields: dict[str, Any] = {
        "__doc__": text, "__module__": __name__, "reference": staticmethod(np.positive),
    }  # fmt: skip
    return type(name, (Base,), fields)


def class_name(attack: str) -> str:
    """Return the operator's name for an attack."""
    return "".join(part.capitalize() for part in attack.split("_"))


TABLE: dict[type[Declaration], Implementation] = {}
for attack, function in ATTACKS.items():
    hostile = declared(f"Hostile{class_name(attack)}", function.__doc__ or "")
    innocent = declared(f"Innocent{class_name(attack)}", "Returns its tensor.")
    TABLE[hostile] = native(f"opperf_hostile.attacks.{attack}")
    TABLE[innocent] = native("opperf_hostile.attacks.innocent")
    globals().update({hostile.__name__: hostile, innocent.__name__: innocent})
TABLES: Mapping[str, Table] = {"toy": TABLE}

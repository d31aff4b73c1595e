"""Operators that the plug-in declares, good and faulty, and how each framework computes them."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from opperf.core.frameworks.implementation import Implementation, Table, built, native
from opperf.core.tensors.tensor import DTYPES, Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.arithmetic.arithmetic import Add
from opperf_toy import faults

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.tensors.tensor import Shape

SIZES = ("small", "typical", "large", "skewed")


class Unary(Declaration, abstract=True):
    """An operator of one small tensor; it declares no `reference`, so it is no operator itself."""

    tensors: ClassVar = {"data": Tensor()}
    sizes: ClassVar = {size: {"data": (number, 4)} for number, size in enumerate(SIZES, start=1)}

    def outputs(self) -> tuple[Shape, ...]:
        """Return the tensor's own shape."""
        return (self.inputs["data"],)

    def flop_count(self) -> int:
        """Return one operation an element."""
        return prod(self.inputs["data"])


class Fault(Unary, abstract=True):
    """An operator that returns its tensor, in principle."""

    category = "fault"
    differentiable = False


class Dawdler(Fault):
    """Takes its time, and then is right."""

    reference = staticmethod(np.positive)


class Segfault(Fault):
    """Dies of SIGSEGV."""

    reference = staticmethod(np.positive)


class Orphaner(Fault):
    """Is killed, and leaves a process behind."""

    reference = staticmethod(np.positive)


class Sleeper(Fault):
    """Hangs, with a process of its own that hangs as well."""

    reference = staticmethod(np.positive)


class Hoarder(Fault):
    """Allocates without end."""

    reference = staticmethod(np.positive)


class Thrower(Fault):
    """Dies of an allocation that C++ code did not expect to fail."""

    reference = staticmethod(np.positive)


class Liar(Fault):
    """Returns wrong values."""

    reference = staticmethod(np.positive)


class Raiser(Fault):
    """Raises an exception."""

    reference = staticmethod(np.positive)


class Fragile(Fault):
    """Is right only in a process where nothing has failed."""

    reference = staticmethod(np.positive)


class Exiter(Fault):
    """Ends its process."""

    reference = staticmethod(np.positive)


class StuckInC(Fault):
    """Hangs in native code with Python's lock held."""

    reference = staticmethod(np.positive)


class Chatty(Fault):
    """Prints far too much, and dies of SIGABRT."""

    reference = staticmethod(np.positive)


class Tripper(Unary):
    """Returns its tensor, and dies of SIGSEGV on the way back."""

    category = "fault"
    reference = staticmethod(np.positive)


class Double(Unary):
    """Twice the tensor: good, and measured after all the faults."""

    category = "toy"
    reference = staticmethod(lambda data: data * 2)
    dtypes = DTYPES


def fault_table(ones: str) -> dict[type[Declaration], Implementation]:
    """Return the faults' table for a framework whose tensors are made by `ones`."""
    return {
        Dawdler: native("opperf_toy.faults.dawdle"),
        Segfault: native("opperf_toy.faults.segfault"),
        Orphaner: native("opperf_toy.faults.orphan"),
        Sleeper: native("opperf_toy.faults.sleep"),
        Hoarder: built(ones, faults.hoard),
        Thrower: native("opperf_toy.faults.throw"),
        Liar: native("opperf_toy.faults.lie"),
        Raiser: native("opperf_toy.faults.refuse"),
        Fragile: native("opperf_toy.faults.demand"),
        Exiter: native("opperf_toy.faults.leave"),
        StuckInC: native("opperf_toy.faults.stick"),
        Chatty: native("opperf_toy.faults.chat"),
    }


TABLES: Mapping[str, Table] = {
    "toy": {
        Add: native("opperf_toy.engine.add"),
        Double: native("opperf_toy.engine.double"),
        Tripper: native("opperf_toy.engine.trip"),
        **fault_table("numpy.ones"),
    },
    "mxnet": fault_table("mxnet.nd.ones"),
    "pytorch": fault_table("torch.ones"),
}

"""Backward by one input alone, where the cost depends on which.

A framework computes no gradient that is not asked for: of a frozen weight, or of the data in a
network's first layer.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from opperf.core.tensors.tensor import FLOATS
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensors.tensor import Array

ONLY = ("backward",)


class OneGradient(Declaration, abstract=True):
    """Gradient of another operator by the input `by` alone.

    A subclass derives from this class and then from the other operator, whose inputs, sizes and
    implementations are its own.
    """

    by: ClassVar[str]
    backward_work = 1

    def __init_subclass__(cls, *, abstract: bool = False) -> None:
        """Keep one gradient, the floating-point dtypes, and no tag."""
        if not abstract:
            names = [name for name, tensor in cls.tensors.items() if tensor.differentiable]
            cls.tensors = {
                name: replace(tensor, differentiable=name == cls.by)
                for name, tensor in cls.tensors.items()
            }
            cls.dtypes = tuple(dtype for dtype in cls.dtypes if dtype in FLOATS)
            cls.tags = ()
            if cls.gradient is not None:
                cls.gradient = select_gradient(cls.gradient, names.index(cls.by))
        super().__init_subclass__(abstract=abstract)

    @classmethod
    def table_class(cls) -> type[Declaration]:
        """Return the other operator, whose implementation is differentiated."""
        return next(
            kind.table_class()
            for kind in cls.__mro__
            if issubclass(kind, Declaration) and not issubclass(kind, OneGradient)
        )

    def check_choices(self) -> None:
        """Refuse run_backward=False, which leaves nothing to measure."""
        super().check_choices()
        self.require(self.inputs["run_backward"], "run_backward", "nothing else is measured")

    @classmethod
    def all_directions(cls) -> tuple[str, ...]:
        """Return the backward alone."""
        return ONLY

    def directions(self) -> tuple[str, ...]:
        """Return the backward alone."""
        return ONLY


def select_gradient(gradient: Callable[..., Sequence[Array]], at: int) -> Any:
    """Return the gradient function of the input at this position."""

    def one(cotangents: Sequence[Array], *arrays: Array, **attributes: object) -> tuple[Array]:
        return (gradient(cotangents, *arrays, **attributes)[at],)

    return one

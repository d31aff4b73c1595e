"""Operators on tensors whose memory layout is not row-major."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from opperf.core.tensors.tensor import CHANNELS_LAST
from opperf.declaring.declaration import Declaration

if TYPE_CHECKING:
    from opperf.core.tensors.tensor import Shape


class WithLayouts(Declaration, abstract=True):
    """Another operator on tensors with the memory layouts of `layouts`.

    A subclass derives from this class and then from the other operator; shapes and results stay.
    """

    layouts: ClassVar[dict[str, str]]

    def __init_subclass__(cls, *, abstract: bool = False) -> None:
        """Set the layouts of the tensors."""
        super().__init_subclass__(abstract=abstract)
        if abstract:
            return
        cls.tensors = {
            name: replace(tensor, layout=cls.layouts.get(name, tensor.layout))
            for name, tensor in cls.tensors.items()
        }
        cls.tags = ()

    def outputs(self) -> tuple[Shape, ...]:
        """Return the other operator's outputs; a layout needs two axes."""
        for name in self.layouts:
            self.require_least_rank(name, 2)
        return super().outputs()


class WithChannelsLast(WithLayouts, abstract=True):
    """Another operator in channels-last memory layout, input and output."""

    layouts: ClassVar[dict[str, str]] = {"data": CHANNELS_LAST}
    output_layout = CHANNELS_LAST

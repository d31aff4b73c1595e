"""What a network is made from: a factory, or a name that a framework or a library knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

INFERENCE, TRAINING = "inference", "training"
MODES = (TRAINING, INFERENCE)
FACTORY, BUILTIN = "factory", "builtin"
LOSS = "(loss)"
"""Where calls are made that belong to no module, but to the loss that is put on the network."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """A network to be made: of a `kind` such as builtin, by its name there.

    Args:
        kind: what the name is one of.
        name: the factory's dotted name, the network's name, or a file.
        batch: how many examples a step takes, None for as many as the network's maker likes.
        mode: whether a step is a forward alone, or a forward, a loss and a backward.
        device: where it runs.
        inputs: the shapes of the inputs of what does not say them itself, by their names.
    """

    kind: str
    name: str
    batch: int | None = None
    mode: str = TRAINING
    device: str = "cpu"
    inputs: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What an error calls it."""
        return f"{self.kind} {self.name!r}"


@dataclass(frozen=True, kw_only=True)
class StepProfile:
    """What a step takes by the framework's profiler.

    `operators` are the seconds of each operator by its name, `seconds` those of the whole step
    while it is profiled, None where that is not known.
    """

    operators: dict[str, float]
    seconds: float | None = None


class Network(Protocol):
    """A network with example inputs, whose step is always the same.

    `order` says which of its distinct calls comes when, once they were asked for.
    """

    batch: int | None
    parameters: int
    order: list[int]

    def step(self) -> object:
        """Make one step; a device may still be at it when this returns."""
        ...

    def calls(self) -> list[dict[str, Any]]:
        """Return the distinct operator calls of a step, as a calls file states them."""
        ...

    def profile(self, steps: int) -> StepProfile:
        """Return what so many steps take under the framework's profiler."""
        ...


class Networks(Protocol):
    """What a framework offers for networks."""

    def open(self, source: Source) -> Network:
        """Make a network.

        Raises:
            UsageError: it cannot be made, in one line.
        """
        ...

    def state(self) -> dict[str, object]:
        """Return what a factory could change of the framework for all that comes after it."""
        ...

"""What a direction of a prepared operator offers: its work to time, and its call to weigh."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from opperf.core.frameworks.implementation import BoundCall
    from opperf.core.frameworks.workload import Work
    from opperf.core.preparing.preparation import Preparation

    Call = Callable[[], Sequence[Any]]


@dataclass(frozen=True)
class Direction(ABC):
    """One direction of a prepared operator."""

    preparation: Preparation
    training: ClassVar[bool] = True

    @property
    def context(self) -> Callable[[], AbstractContextManager[object]]:
        """The framework's mode that holds during all calls."""
        framework = self.preparation.framework
        return framework.recording if self.training else framework.inference

    @abstractmethod
    def work(self) -> Work:
        """Return what is called inside the clock, and what is prepared outside it."""

    @abstractmethod
    def call(self, bind: Callable[[], BoundCall]) -> Call:
        """Return one call for its results; `bind` binds the operator in training mode."""

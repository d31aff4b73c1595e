"""A measurer whose tasks say how long they still take, as networks and models do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.measuring.children.timing import Measurer
from opperf.measuring.worker.protocol import LONGEST, WORKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.frameworks.framework import Framework
    from opperf.measuring.children.timing import Answer


class PatienceMeasurer(Measurer):
    """Measures tasks that ask the parent for patience while they work."""

    answer: Answer

    def __call__(self, message: Mapping[str, Any], framework: Framework, answer: Answer) -> None:
        """Carry out a task."""
        self.answer = answer
        super().__call__(message, framework, answer)

    def tell(self, seconds: float) -> None:
        """Say that the task lives, and about how long what comes next takes.

        The protocol knows no more than a day: of a longer step, a day is asked for.
        """
        self.answer(WORKING, seconds=min(seconds, LONGEST))

"""What a site is made of: runs and comparisons that are read when their pages are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from opperf.reporting.comparison import ComparisonReport
    from opperf.reporting.subjects import Run


@dataclass(frozen=True, kw_only=True)
class SiteContent:
    """A run or a comparison, and what was left out of it as damaged."""

    subject: Run | ComparisonReport
    warning: str | None = None


class SiteSource(Protocol):
    """One run or comparison, which another process can load as well."""

    @property
    def name(self) -> str:
        """The run's id."""
        ...

    @property
    def stamp(self) -> str:
        """What changes whenever its content does."""
        ...

    def load(self) -> SiteContent:
        """Return it.

        Raises:
            UsageError: it cannot be read, or is damaged as a whole.
        """
        ...

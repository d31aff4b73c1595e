"""What a framework's build needs of the processor: known by the words in which it fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.frameworks.variant import RECORDED

if TYPE_CHECKING:
    from opperf.core.frameworks.variant import Variant


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """An instruction set without which a build has no form of some operators in some dtypes.

    `words` is a passage of its error. They alone prove nothing, for a fault may end in them too: a
    row is unsupported where the instruction set is missing as well, and failed where it is there.
    So each row is attempted, unlike one that a `Limitation` rules out wherever it runs.

    `known` are the operators of which it is known, each with its variant, in every direction. Tests
    attempt them with the instruction set and without.
    """

    requires: str
    words: str
    dtypes: tuple[str, ...]
    known: frozenset[tuple[str, Variant]] = frozenset()

    def explains(self, message: str, dtype: str) -> bool:
        """Return whether an error may come from what it is about."""
        return dtype in self.dtypes and self.words in message

    def holds(self, operator: str, dtype: str, *, variant: Variant) -> bool:
        """Return whether this row is known to need the instruction set."""
        return dtype in self.dtypes and (operator, variant) in self.known

    def variants(self, operator: str) -> list[Variant]:
        """Return which of an operator's variants are known to need it."""
        return [variant for variant in RECORDED if (operator, variant) in self.known]

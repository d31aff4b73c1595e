"""Known gaps of a framework, as values that runs, tests and documents share."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Limitation:
    """What one framework cannot do with an operator, in the framework's own words.

    Left-out conditions match everything. `words` is a passage of the error that an attempt raises
    or, where the framework says nothing, of what the correctness check finds; a test attempts each
    limitation, so that one that no longer holds breaks the build. `note` explains the words where
    they do not explain themselves.
    """

    framework: str
    words: str
    note: str = ""
    dtypes: tuple[str, ...] = ()
    directions: tuple[str, ...] = ()
    fused: bool | None = None

    @property
    def reason(self) -> str:
        """What a result says of it."""
        return f"{self.framework}: {self.note or self.words}"

    def holds(self, framework: str, dtype: str, direction: str, *, fused: bool | None) -> bool:
        """Return whether this combination is the one that cannot be done."""
        return (
            framework == self.framework
            and (not self.dtypes or dtype in self.dtypes)
            and (not self.directions or direction in self.directions)
            and (self.fused is None or fused == self.fused)
        )

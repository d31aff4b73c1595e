"""What an experiment found: figures beside their targets, and the tables behind them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure as it is shown; `met` is None where nothing is asked of it."""

    what: str
    figure: str
    target: str = ""
    met: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of text under headers."""

    caption: str
    headers: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """An experiment's outcome; `pending` says what has to be there before it can be run."""

    name: str
    title: str
    method: str
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()
    pending: str | None = None
    circumstances: dict[str, Any] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        """Whether every target was met; None where none was tried."""
        tried = [figure.met for figure in self.figures if figure.met is not None]
        return all(tried) if tried else None

    @property
    def verdict(self) -> str:
        """The outcome in a word."""
        if self.pending:
            return "pending"
        return {True: "met", False: "missed", None: "not tried"}[self.met]


def save(finding: Finding, path: Path) -> None:
    """Write a finding as JSON, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".part")
    partial.write_text(json.dumps(asdict(finding), indent=1))
    partial.replace(path)


def load(path: Path) -> Finding:
    """Read a finding that was saved."""
    found = json.loads(path.read_text())
    figures = [Figure(**figure) for figure in found.pop("figures")]
    tables = [Table(**table) for table in found.pop("tables")]
    return Finding(figures=figures, tables=tables, **found)


def percent(share: float, digits: int = 2) -> str:
    """Return a share between 0 and 1 as percent."""
    return f"{share * 100:.{digits}f} %"


def microseconds(seconds: float) -> str:
    """Return seconds in microseconds, to four digits."""
    return f"{seconds * 1e6:.4g} us"

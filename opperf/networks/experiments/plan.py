"""What an experiment file asks for: parameters, variables, extensions and constraints, checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote, unknown
from opperf.networks.experiments.declaration import declare
from opperf.networks.experiments.parameter import NAME
from opperf.networks.experiments.pattern import match_beginning
from opperf.networks.experiments.table import standard_parameters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.networks.experiments.parameter import ExperimentParameter, Value

SECTIONS = ("parameters", "variables", "extensions", "constraints")
EXTENSION_SECTIONS = ("condition", "parameters", "cases")
MOST_VALUES = 1000
"""Of a variable, and of extensions, cases and constraints."""


@dataclass(frozen=True)
class Extension:
    """Parameters of the runs that meet a condition, and cases that each run becomes."""

    condition: Mapping[str, list[Any]]
    parameters: Mapping[str, Value]
    cases: tuple[Mapping[str, Value], ...]


@dataclass
class ExperimentPlan:
    """Everything that a file, and the command line over it, have given."""

    known: dict[str, ExperimentParameter] = field(
        default_factory=lambda: dict(standard_parameters())
    )
    parameters: dict[str, Value] = field(default_factory=dict)
    variables: dict[str, list[Value]] = field(default_factory=dict)
    extensions: list[Extension] = field(default_factory=list)
    constraints: list[str] = field(default_factory=list)

    def add(self, document: Mapping[str, Any]) -> None:
        """Add what a document has; what it gives takes the place of what was there.

        Raises:
            UsageError: A section, a name or a value is wrong; names it.
        """
        for key in document:
            if key not in SECTIONS:
                raise UsageError(unknown("section", key, SECTIONS))
        for name, value in flat(table(document, "parameters")):
            self.set(name, value)
        for name, value in flat(table(document, "variables")):
            self.vary(name, value)
        for number, row in enumerate(rows(document, "extensions"), 1):
            self.extensions.append(self.extension(row, number))
        for text in rows(document, "constraints"):
            if not isinstance(text, str):
                raise UsageError(f"constraints: {quote(text)} is no expression")
            self.constraints.append(text)

    def set(self, name: str, value: object) -> None:
        """Give a parameter its value, or declare a new one."""
        if isinstance(value, dict):
            self.known[name] = declare(name, value, self.known)
        else:
            self.parameters[name] = self.checked(name, value)

    def vary(self, name: str, value: object) -> None:
        """Give a variable its values: one, or a list."""
        values = value if isinstance(value, list) else [value]
        if not 1 <= len(values) <= MOST_VALUES:
            raise UsageError(f"variables: {name}: must have 1 to {MOST_VALUES} values")
        self.variables[name] = [self.checked(name, one, "variables: ") for one in values]

    def extension(self, row: object, number: int) -> Extension:
        """Return an extension, every name and value of it checked."""
        where = f"extensions: number {number}: "
        if not isinstance(row, dict):
            raise UsageError(f"{where}must be a table, not {quote(row)}")
        for key in row:
            if key not in EXTENSION_SECTIONS:
                raise UsageError(where + unknown("key", key, EXTENSION_SECTIONS))
        condition = {
            name: self.pattern(name, value, where) for name, value in flat(table(row, "condition"))
        }
        cases = [{"parameters": case} for case in rows(row, "cases")]
        own, *others = [
            {
                name: self.checked(name, value, where)
                for name, value in flat(table(one, "parameters"))
            }
            for one in [row, *cases]
        ]
        return Extension(condition, own, tuple(others))

    def pattern(self, name: str, value: object, where: str) -> list[Any]:
        """Return what a condition allows: values, or one pattern."""
        parameter = self.parameter(name, where)
        try:
            if isinstance(value, str) and parameter.type == "str":
                match_beginning(value, "")
                return [Spelling(value)]
            return [parameter.convert(v) for v in (value if isinstance(value, list) else [value])]
        except UsageError as error:
            raise UsageError(f"{where}condition: {name}: {error}") from None

    def checked(self, name: str, value: object, where: str = "") -> Value:
        """Return a value that the parameter of this name can have."""
        try:
            return self.parameter(name, where).check(value)
        except UsageError as error:
            if str(error).startswith(where + "unknown parameter"):
                raise
            raise UsageError(f"{where}{name}: {error}") from None

    def parameter(self, name: str, where: str) -> ExperimentParameter:
        """Return the parameter of a name."""
        if name not in self.known:
            said = unknown("parameter", name, self.known)
            raise UsageError(f"{where}{said}; a new one is declared by its val, type and desc")
        return self.known[name]


class Spelling(str):
    """A text that a condition looks for as a regular expression."""

    __slots__ = ()


def table(document: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return a table of a document, which may be missing."""
    found = document.get(key) or {}
    if not isinstance(found, dict):
        raise UsageError(f"{key}: must be a table of names and values, not {quote(found)}")
    return found


def rows(document: Mapping[str, Any], key: str) -> list[Any]:
    """Return a list of a document, which may be missing."""
    found = document.get(key) or []
    if not isinstance(found, list) or len(found) > MOST_VALUES:
        raise UsageError(f"{key}: must be a list of at most {MOST_VALUES}, not {quote(found)}")
    return found


def flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield dotted names and their values; TOML writes exp.model as a table in a table."""
    seen = set[str]()
    for key, value in values.items():
        name = f"{prefix}{key}"
        if not isinstance(key, str) or not NAME.fullmatch(name):
            raise UsageError(f"{quote(name)} is no name of a parameter, such as exp.model")
        nested = isinstance(value, dict) and "val" not in value
        for found, one in flat(value, f"{name}.") if nested else [(name, value)]:
            if found in seen:
                raise UsageError(f"{found} stands twice")
            seen.add(found)
            yield found, one

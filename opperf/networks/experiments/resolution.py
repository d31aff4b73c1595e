"""The values of one experiment's parameters, each worked out when it is asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, nearest, quote
from opperf.networks.experiments.expression import evaluate
from opperf.networks.experiments.template import MARK, Formula, ParameterReference, parse_template

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.networks.experiments.evaluation import Scalar
    from opperf.networks.experiments.parameter import ExperimentParameter, Value
    from opperf.networks.experiments.template import Part

LONGEST = 10_000
"""Characters of a value once everything in it is filled in."""
LONGEST_CHAIN = 50
"""References from one parameter to the next."""
SEPARATORS = re.compile(r"[:,\s]+")
ENVIRONMENT = ("BENCH_ROOT", "DLBS_ROOT", "HOME")
"""The variables of the environment that a file may name; others may be secrets."""


class ParameterError(UsageError):
    """An error that names its parameter."""


class Resolver:
    """Parameters with their values, those that a file gives or the defaults."""

    def __init__(
        self,
        parameters: Mapping[str, ExperimentParameter],
        given: Mapping[str, Value],
        environment: Mapping[str, str],
    ) -> None:
        self.parameters = parameters
        self.given = given
        self.environment = environment
        self.values: dict[str, Value] = {}
        self.chain: list[str] = []

    def value(self, name: str) -> Value:
        """Return the value of a parameter.

        Raises:
            UsageError: It cannot be worked out; names the parameter, or the cycle.
        """
        if name in self.values:
            return self.values[name]
        if name in self.chain:
            cycle = [*self.chain[self.chain.index(name) :], name]
            raise ParameterError(f"a cycle of references: {' -> '.join(cycle)}")
        if len(self.chain) == LONGEST_CHAIN:
            raise ParameterError(f"{self.chain[0]}: more than {LONGEST_CHAIN} references in a row")
        self.chain.append(name)
        try:
            self.values[name] = self.work_out(name)
        except ParameterError:
            raise
        except UsageError as error:
            raise ParameterError(f"{name}: {error}") from None
        finally:
            self.chain.pop()
        return self.values[name]

    def work_out(self, name: str) -> Value:
        """Return a value that is asked for the first time."""
        parameter = self.parameters[name]
        if parameter.items_of and name not in self.given:
            items = SEPARATORS.split(self.text(parameter.items_of))
            return parameter.convert(len([item for item in items if item]))
        raw = self.given.get(name, parameter.default)
        if isinstance(raw, list):
            return [item for item in (str(self.fill(text)) for text in raw) if item]
        return parameter.convert(self.fill(raw) if isinstance(raw, str) else raw)

    def text(self, name: str) -> str:
        """Return a value as it stands in other texts."""
        value = self.named(name)
        return " ".join(value) if isinstance(value, list) else str(value)

    def named(self, name: str) -> Value:
        """Return what `${name}` stands for: a parameter, or a variable of the environment."""
        if name in self.parameters:
            return self.value(name)
        if name in ENVIRONMENT:
            if name not in self.environment:
                raise UsageError(f"${{{name}}}: this environment variable is not set")
            return self.environment[name]
        near = nearest(name, self.parameters)
        hint = f"; did you mean ${{{near}}}?" if near else ""
        raise UsageError(f"unknown ${{{name[:100]}}}{hint}")

    def fill(self, text: str) -> Scalar:
        """Return a text with everything filled in; a lone expression or reference keeps its type.

        Raises:
            UsageError: Something in it is wrong, or it becomes too long.
        """
        parts = parse_template(text)
        values = [self.part(part) for part in parts]
        if len(values) == 1:
            return values[0]
        length, pieces = 0, []
        for value in values:
            pieces.append(str(value))
            length += len(pieces[-1])
            if length > LONGEST:
                raise UsageError(f"{quote(text)[:60]}: becomes longer than {LONGEST} characters")
        return "".join(pieces)

    def part(self, part: Part) -> Scalar:
        """Return the value of one part of a text."""
        if isinstance(part, str):
            return part
        if isinstance(part, ParameterReference):
            return self.reference(part)
        return self.formula(part)

    def reference(self, reference: ParameterReference) -> Scalar:
        """Return what a reference stands for, with the references in its name filled in."""
        name = "".join(str(self.part(part)) for part in reference.name)
        value = self.named(name)
        return " ".join(value) if isinstance(value, list) else value

    def formula(self, formula: Formula) -> Scalar:
        """Return what an expression amounts to."""
        values = {MARK.format(at): self.reference(r) for at, r in enumerate(formula.references)}
        try:
            return evaluate(formula.text, values)
        except UsageError as error:
            raise UsageError(f"$({readable(formula)})$: {error}") from None


def readable(formula: Formula) -> str:
    """Return an expression as it stood, in short."""
    text = formula.text
    for at, reference in enumerate(formula.references):
        name = "".join(part if isinstance(part, str) else "${...}" for part in reference.name)
        text = text.replace(MARK.format(at), f"${{{name}}}")
    return quote(text)[1:-1]

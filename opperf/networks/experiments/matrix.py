"""The matrix of runs: every combination of the variables, extended, and kept if it may run."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote
from opperf.networks.experiments.extension import MOST_RUNS, extend
from opperf.networks.experiments.resolution import Resolver

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.networks.experiments.parameter import Value
    from opperf.networks.experiments.plan import ExperimentPlan

LEFT_OUT = ("disabled", "inactive")
"""The values of exp.status with which a combination is no run."""
STATUS = "exp.status"


@dataclass(frozen=True)
class Combination:
    """One combination of the variables' values, as a run has them."""

    resolver: Resolver
    names: tuple[str, ...]
    """In which runs differ."""

    def value(self, name: str) -> Value:
        """Return a parameter's value."""
        return self.resolver.value(name)

    def text(self, name: str) -> str:
        """Return a parameter's value as it stands in texts."""
        return self.resolver.text(name)


@dataclass(frozen=True)
class Matrix:
    """The runs, and how many combinations are none: disabled, or against a constraint."""

    runs: tuple[Combination, ...]
    disabled: int
    against: int


def expand_plan(plan: ExperimentPlan, environment: Mapping[str, str]) -> Matrix:
    """Return the matrix of a plan.

    Raises:
        UsageError: It is too large, or a value of a run is wrong.
    """
    runs, disabled, against = [], 0, 0
    for given in combinations(plan):
        combination = Combination(Resolver(plan.known, given, environment), names_of(plan))
        if combination.value(STATUS) in LEFT_OUT:
            disabled += 1
        elif not all(holds(constraint, combination) for constraint in plan.constraints):
            against += 1
        else:
            for name in given:
                combination.value(name)
            runs.append(combination)
    return Matrix(tuple(runs), disabled, against)


def combinations(plan: ExperimentPlan) -> Iterator[dict[str, Value]]:
    """Yield what each combination of variables gives, after the extensions."""
    if prod(map(len, plan.variables.values())) > MOST_RUNS:
        raise UsageError(f"variables: more than {MOST_RUNS} combinations")
    count = 0
    for values in product(*plan.variables.values()):
        given = {**plan.parameters, **dict(zip(plan.variables, values, strict=True))}
        for one in extend(given, plan):
            count += 1
            if count > MOST_RUNS:
                raise UsageError(f"extensions: more than {MOST_RUNS} combinations")
            yield one


def names_of(plan: ExperimentPlan) -> tuple[str, ...]:
    """Return the names in which runs differ: the variables, and what cases give."""
    cases = (name for row in plan.extensions for case in row.cases for name in case)
    return tuple(dict.fromkeys([*plan.variables, *cases]))


def holds(constraint: str, combination: Combination) -> bool:
    """Return whether a run meets a constraint: an expression that is True or False.

    Raises:
        UsageError: It is neither.
    """
    try:
        value = combination.resolver.fill(f"$({constraint})$")
    except UsageError as error:
        raise UsageError(f"constraints: {error}") from None
    if not isinstance(value, bool):
        raise UsageError(f"constraints: {quote(constraint)} is {quote(value)}, not True or False")
    return value

"""Extensions: what runs that meet a condition get, and the cases that they become."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote
from opperf.networks.experiments.pattern import match_beginning
from opperf.networks.experiments.plan import Spelling
from opperf.networks.experiments.template import is_constant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.networks.experiments.parameter import Value
    from opperf.networks.experiments.plan import ExperimentPlan, Extension

MOST_RUNS = 2000
"""Combinations of variables, cases of extensions included."""
MATCH = "${{__condition.{}_{}}}"
"""How an extension's values refer to what a condition has found: whole (0), or a group of it."""


def extend(given: dict[str, Value], plan: ExperimentPlan) -> list[dict[str, Value]]:
    """Return a combination after all extensions, in their order: one, or several by cases."""
    combinations = [given]
    for extension in plan.extensions:
        extended = []
        for one in combinations:
            found = meet(extension, one, plan)
            if found is None:
                extended.append(one)
                continue
            own = {**one, **replace_matches(extension.parameters, found)}
            cases = extension.cases or ({},)
            if len(extended) + len(cases) > MOST_RUNS:
                raise UsageError(f"extensions: more than {MOST_RUNS} combinations")
            extended += [{**own, **replace_matches(case, found)} for case in cases]
        combinations = extended
    return combinations


def meet(
    extension: Extension, given: Mapping[str, Value], plan: ExperimentPlan
) -> dict[str, str] | None:
    """Return what the condition has found, by how it is referred to; None where it is not met."""
    found: dict[str, str] = {}
    for name, values in extension.condition.items():
        value = given.get(name, plan.known[name].default)
        if isinstance(value, list) or (isinstance(value, str) and not is_constant(value)):
            raise UsageError(
                f"extensions: condition: {name} is {quote(value)}, which is worked out later; "
                "a condition is about values that stand for themselves"
            )
        groups = match(values, value)
        if groups is None:
            return None
        found.update({MATCH.format(name, at): text for at, text in enumerate(groups)})
    return found


def match(values: list[Any], value: Value) -> list[str] | None:
    """Return the value and the groups of a pattern, None where it is none of the values."""
    first = values[0] if values else None
    if isinstance(first, Spelling) and isinstance(value, str):
        if first == "":
            return [""] if value == "" else None
        found = match_beginning(first, value)
        return None if found is None else [value, *(group or "" for group in found.groups())]
    alike = any(type(one) is type(value) and one == value for one in values)
    return [str(value)] if alike else None


def replace_matches(values: Mapping[str, Value], found: Mapping[str, str]) -> dict[str, Value]:
    """Return parameters with what the condition has found."""
    return {name: with_matches(value, found) for name, value in values.items()}


def with_matches(value: Any, found: Mapping[str, str]) -> Any:
    """Return a value with what the condition has found."""
    if isinstance(value, list):
        return [with_matches(item, found) for item in value]
    if isinstance(value, str):
        for reference, text in found.items():
            value = value.replace(reference, text)
    return value

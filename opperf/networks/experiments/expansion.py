"""From an experiment file, and what a command line gives besides, to the runs that it asks for."""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from opperf.core.configuration.json_form import parse_json
from opperf.core.errors import UsageError, quote, quote_path
from opperf.networks.experiments.command import experiment_of
from opperf.networks.experiments.file import read_document
from opperf.networks.experiments.matrix import expand_plan
from opperf.networks.experiments.parameter import NAME
from opperf.networks.experiments.plan import ExperimentPlan
from opperf.networks.experiments.table import standard_parameters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from opperf.networks.experiments.command import Experiment
    from opperf.networks.experiments.matrix import Matrix

T = TypeVar("T")


@dataclass(frozen=True)
class ExperimentMatrix:
    """The runs of an experiment file, and one line of each thing that a reader should know."""

    experiments: tuple[Experiment, ...]
    notes: tuple[str, ...]

    @property
    def variables(self) -> Mapping[str, str]:
        """The environment of the runs, which one run directory has once.

        Raises:
            UsageError: They differ.
        """
        return alike([one.variables for one in self.experiments], "environments, by exp.gpus=2,3")

    @property
    def tags(self) -> tuple[str, ...]:
        """The labels of their records, likewise."""
        return alike([one.tags for one in self.experiments], "tags, by exp.proj=night")


def alike(values: Sequence[T], what: str) -> T:
    """Return the one value that all runs have."""
    first, *others = values
    for other in others:
        if other != first:
            said = f"{quote(first)} and {quote(other)}"
            kind, _, remedy = what.partition(", by ")
            raise UsageError(
                f"the runs have different {kind} ({said}); give one of them: -P {remedy}"
            )
    return first


def expand(path: Path, given: Mapping[str, str] | None = None) -> ExperimentMatrix:
    """Return the runs that an experiment file asks for.

    Args:
        path: A file in TOML, YAML or JSON.
        given: Values that take the place of the file's, each as JSON or as a text; a list of
            values makes a variable.

    Raises:
        UsageError: Something is wrong; one line that names the file, the place and the remedy.
    """
    document = read_document(path)
    plan = ExperimentPlan()
    try:
        plan.add(document)
        for name, text in (given or {}).items():
            give(plan, name, text)
        matrix = expand_plan(plan, os.environ)
        experiments = tuple(map(experiment_of, matrix.runs))
    except UsageError as error:
        raise UsageError(f"{quote_path(path)}: {error}") from None
    refuse_twice([one.log_file for one in experiments if one.log_file], path)
    if not experiments:
        raise UsageError(f"{quote_path(path)}: no run is left; {'; '.join(notes_of(plan, matrix))}")
    return ExperimentMatrix(experiments, tuple(notes_of(plan, matrix)))


def refuse_twice(names: Sequence[str], path: Path) -> None:
    """Refuse a log file that several runs have: the last would be all that is left."""
    for name, count in Counter(names).items():
        if count > 1:
            remedy = "name in it what tells them apart, such as ${exp.model}"
            raise UsageError(
                f"{quote_path(path)}: exp.log_file: {quote(name)} is that of {count} runs; {remedy}"
            )


def parse_given(texts: Sequence[str]) -> dict[str, str]:
    """Return names and values of "exp.model=alexnet" texts."""
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not NAME.fullmatch(name):
            raise UsageError(f"-P {quote(text)}: must be NAME=VALUE, such as exp.model=alexnet")
        found[name] = value
    return found


def give(plan: ExperimentPlan, name: str, text: str) -> None:
    """Give a parameter its value, in place of what the file says."""
    try:
        value: Any = parse_json(text, name)
    except UsageError:
        value = text
    if isinstance(value, dict):
        raise UsageError(f"{name}: {quote(text)} must be a value, or a list of values")
    parameter = plan.known.get(name)
    if parameter is not None and parameter.type == "str" and not isinstance(value, (str, list)):
        value = text
    if isinstance(value, list) and (parameter is None or parameter.type != "list"):
        plan.vary(name, value)
    else:
        plan.variables.pop(name, None)
        plan.set(name, value)


def notes_of(plan: ExperimentPlan, matrix: Matrix) -> Iterator[str]:
    """Yield what was left out, and what was given and is of no effect here."""
    if matrix.disabled:
        yield f"{matrix.disabled} combinations left out: their exp.status is disabled"
    if matrix.against:
        yield f"{matrix.against} combinations left out: they do not meet the constraints"
    names = {*plan.parameters, *plan.variables}
    for extension in plan.extensions:
        names.update(extension.parameters, *extension.cases)
    for name in sorted(names):
        parameter = standard_parameters().get(name)
        if parameter is not None and not parameter.is_used and not is_named(name, plan):
            yield f"{name} is of no effect here: {parameter.description}"


def is_named(name: str, plan: ExperimentPlan) -> bool:
    """Return whether something that was given refers to a parameter."""
    given = [*plan.parameters.values(), *plan.variables.values(), *plan.constraints]
    return f"${{{name}}}" in json.dumps(given)


def matrix_rows(experiments: Sequence[Experiment]) -> list[dict[str, Any]]:
    """Return a row for each run: its number, and the values in which runs differ."""
    names = dict.fromkeys(name for one in experiments for name in one.parameters)
    return [
        {"run": number, **{name: one.parameters.get(name) for name in names}}
        for number, one in enumerate(experiments, 1)
    ]


def parameter_rows() -> list[dict[str, str]]:
    """Return a row for each standard parameter: name, type, default, domain, description."""
    return [
        {
            "parameter": parameter.name,
            "type": parameter.type,
            "default": default_text(parameter.default),
            "allowed": ", ".join(map(str, parameter.domain)),
            "description": parameter.description,
        }
        for parameter in standard_parameters().values()
    ]


def default_text(value: object) -> str:
    """Return a default as a table has it."""
    return " ".join(value) if isinstance(value, list) else str(value)

"""What carries out one run: the words for the driver of networks, and its environment."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opperf.networks.experiments.matrix import Experiment

FLAG_AND_VALUE = re.compile(r"(--[A-Za-z_][A-Za-z0-9_-]*) +(\S.*)", re.DOTALL)
"""An argument in the form of later releases of the older suite, two words in one text."""
VARIABLE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
VISIBLE = "CUDA_VISIBLE_DEVICES"


@dataclass(frozen=True)
class RunCommand:
    """One run: a framework, what the driver is told, and what its environment has besides."""

    framework: str
    words: tuple[str, ...]
    variables: Mapping[str, str]
    tags: tuple[str, ...]
    log_file: str
    simulate: bool


def command_of(experiment: Experiment) -> RunCommand:
    """Return what carries out a run.

    Raises:
        UsageError: The run needs something that opperf does not have, or names no network.
    """
    framework = experiment.text("exp.framework")
    if not experiment.text("exp.model"):
        raise UsageError("exp.model: is empty; name a network, as `opperf model --list` has them")
    if experiment.value("exp.docker") is True:
        raise UsageError("exp.docker: opperf starts no containers; set it to false")
    words = experiment.value(f"{framework}.args")
    project = experiment.text("exp.proj")
    return RunCommand(
        framework=framework,
        words=tuple(split_flags(words if isinstance(words, list) else [str(words)])),
        variables=variables_of(experiment, framework),
        tags=(project,) if project else (),
        log_file=experiment.text("exp.log_file"),
        simulate=experiment.value("exp.status") == "simulate",
    )


def split_flags(arguments: Iterable[str]) -> list[str]:
    """Return words, of which a flag and its value may have stood in one."""
    found: list[str] = []
    for argument in arguments:
        match = FLAG_AND_VALUE.fullmatch(argument)
        found += match.groups() if match else [argument]
    return found


def variables_of(experiment: Experiment, framework: str) -> dict[str, str]:
    """Return the environment's variables that a run asks for, and which GPUs it may see."""
    name = f"{framework}.env"
    found: dict[str, str] = {}
    for word in experiment.text(name).split():
        match = VARIABLE.fullmatch(word)
        if match is None:
            raise UsageError(f"{name}: {quote(word)} must be NAME=value")
        found[match[1]] = match[2]
    gpus = experiment.text("exp.gpus")
    if gpus and experiment.value("exp.device_type") == "gpu":
        found.setdefault(VISIBLE, gpus.replace(":", ","))
    return found

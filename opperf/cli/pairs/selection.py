"""What a comparison of two arms measures of the declared operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.common.options import (
    devices_of,
    frameworks_of,
    memory_of,
    parse_inputs,
    threads_of,
)
from opperf.comparing.arms.arm import project_of
from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError
from opperf.core.filters.language import parse
from opperf.core.frameworks.registry import find_framework, framework_names
from opperf.planning.selection import Selection
from opperf.planning.words import filter_of

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.core.configuration.options import Configuration

OTHERS = ("task", "method", "model", "spec", "calls")
"""The flags of what is compared instead of operators."""
DIRECTIONS = "direction in (forward, backward)"
"""What is measured where the filter names no direction."""


def take_names(arguments: Namespace) -> None:
    """Make the operators that are named by words a part of the filter.

    Raises:
        UsageError: a word names none, or what is compared is no operators.
    """
    if not arguments.words:
        return
    given = next((name for name in OTHERS if getattr(arguments, name)), None)
    if given:
        raise UsageError(
            f"{arguments.words[0]}: no operator goes with --{given}, which says what is compared"
        )
    arguments.filter = filter_of(arguments.words, arguments.filter)


def selection_of(
    arguments: Namespace, configuration: Configuration, arms: Mapping[str, ArmSpec]
) -> Selection:
    """Return what is compared: forward and backward, unless the filter names directions."""
    text = arguments.filter
    if not parse(text).values("direction"):
        text = f"({text}) and {DIRECTIONS}" if text.strip() else DIRECTIONS
    named: tuple[str, ...] = configuration["framework"].value or frameworks_in(arms)
    return Selection(
        text=text,
        frameworks=named or frameworks_of(configuration),
        devices=devices_of(configuration),
        threads=threads_of(configuration),
        dtype=configuration["dtype"].value,
        sizes=configuration["size"].value,
        inputs=parse_inputs(arguments.input),
        settings=Settings(seed=configuration["seed"].value, threads=threads_of(configuration)[0]),
        memory_limit=memory_of(configuration),
    )


def frameworks_in(arms: Mapping[str, ArmSpec]) -> tuple[str, ...]:
    """Return the frameworks that the arms require by name.

    Raises:
        UsageError: they are not the same in all that require any.
    """
    modules = {find_framework(name).module: name for name in framework_names()}
    named = {
        arm: {
            framework
            for requirement in made.requirements
            for module, framework in modules.items()
            if (project_of(requirement) or "").partition("-")[0] == module and module != "numpy"
        }
        for arm, made in arms.items()
    }
    found = [(arm, names) for arm, names in named.items() if names]
    for arm, names in found[1:]:
        first, others = found[0]
        if names != others:
            raise UsageError(
                f"arm {first} requires {' '.join(sorted(others))}, arm {arm} "
                f"{' '.join(sorted(names))}: both must hold the same framework; "
                "frameworks are compared by `opperf run`"
            )
    return tuple(sorted({name for _, names in found for name in names}))

"""From a section of a tasks file to a task: every key is checked before anything starts."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, TypeVar

from opperf.core.environment.variables import without_secrets
from opperf.core.errors import UsageError, quote, unknown
from opperf.core.results.metrics import QUANTITIES
from opperf.core.units import parse_seconds
from opperf.tasks.calculation import METHODS
from opperf.tasks.flat import MEMORY_KEYS
from opperf.tasks.literals import parse_list, parse_switch, parse_whole
from opperf.tasks.task import LogMetric, ScriptTask
from opperf.watching.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Section = Mapping[str, str]

T = TypeVar("T")
MOST_GPUS = 4096
REQUIRED = ("patterns", "metrics", "compute_method", "command_to_execute", "num_gpus")
WORDS = ("launcher", "library_paths", "python_paths", "preload")
OTHERS = (
    "units", "better", "min", "max", "timeout", "shell", "environment", "directory", "program",
    *WORDS,
)  # fmt: skip
BETTER: Mapping[str, str | None] = {"less": "less", "more": "more", "": None}
METRIC = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,99}")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
USAGE = ("time", *(metric.name for metric in Usage().metrics()))
"""What every task is measured by, whatever its log says."""


def task_from(name: str, section: Section) -> ScriptTask:
    """Return the task that a section states.

    Raises:
        UsageError: Something of it is wrong; names the key.
    """
    for key in section:
        if key not in (*REQUIRED, *OTHERS):
            raise UsageError(unknown("key", key, (*REQUIRED, *OTHERS)))
    if missing := [key for key in REQUIRED if key not in section]:
        raise UsageError(f"lacks {', '.join(missing)}")
    metrics = metrics_of(section)
    names = [*(metric.name for metric in metrics), *USAGE]
    task = ScriptTask(
        name=name,
        command=section["command_to_execute"].strip(),
        num_gpus=value(section, "num_gpus", lambda text: parse_whole(text, MOST_GPUS)),
        metrics=metrics,
        shell=value(section, "shell", parse_switch, "no"),
        timeout=value(section, "timeout", parse_seconds) if "timeout" in section else None,
        low=value(section, "min", lambda text: bounds(text, names), "[]"),
        high=value(section, "max", lambda text: bounds(text, names), "[]"),
        variables=value(section, "environment", variables, "[]"),
        program=section.get("program", "").strip() or None,
        directory=section.get("directory", "").strip() or None,
        **{key: value(section, key, parse_list, "[]") for key in WORDS},
    )
    for pattern in task.patterns():
        pattern.check()
    task.watch_command(task.num_gpus)
    return task


def value(section: Section, key: str, parse: Callable[[str], T], default: str = "") -> T:
    """Return the value of a key; an error names the key."""
    try:
        return parse(section.get(key, default))
    except UsageError as error:
        raise UsageError(f"{key}: {error}") from None


def metrics_of(section: Section) -> tuple[LogMetric, ...]:
    """Return the metrics, of which each has its place in the same order in every list."""
    names = value(section, "metrics", parse_list)
    lists = {
        key: value(section, key, parse_list, "[]")
        for key in ("patterns", "compute_method", "units", "better")
    }
    for key in ("patterns", "compute_method"):
        if len(lists[key]) != len(names):
            raise UsageError(f"{key}: has {len(lists[key])} entries for {len(names)} metrics")
    for key, filler in (("units", "1"), ("better", "")):
        lists[key] = lists[key] or (filler,) * len(names)
        if len(lists[key]) != len(names):
            raise UsageError(f"{key}: has {len(lists[key])} entries for {len(names)} metrics")
    if not names:
        raise UsageError("metrics: is empty; name one at least")
    check_names(names)
    for key, choices in (("compute_method", METHODS), ("better", BETTER)):
        for word in lists[key]:
            if word not in choices:
                raise UsageError(f"{key}: {unknown('word', word, choices)}")
    return tuple(
        LogMetric(name=name, pattern=pattern, method=method, unit=unit, better=BETTER[better])
        for name, pattern, method, unit, better in zip(names, *lists.values(), strict=True)
    )


def check_names(names: Iterable[str]) -> None:
    """Refuse names of metrics that stand twice, for something else, or are no names."""
    seen = set[str]()
    for name in names:
        if not METRIC.fullmatch(name):
            raise UsageError(f"metrics: {quote(name)} must be letters, digits, _ . -")
        if name in {*USAGE, *QUANTITIES, *MEMORY_KEYS}:
            raise UsageError(f"metrics: {name!r} is measured of every task; call it otherwise")
        if name in seen:
            raise UsageError(f"metrics: {name!r} stands twice")
        seen.add(name)


def bounds(text: str, names: Iterable[str]) -> dict[str, float]:
    """Return the numbers of "['speed=100', 'time=60']" by the metrics that they bound."""
    found: dict[str, float] = {}
    for item in parse_list(text):
        name, _, number = (part.strip() for part in item.partition("="))
        if name not in names:
            raise UsageError(unknown("metric", name, names))
        try:
            found[name] = float(number)
        except ValueError:
            found[name] = math.nan
        if not math.isfinite(found[name]):
            raise UsageError(f"{quote(item)} must be NAME=NUMBER")
    return found


def variables(text: str) -> dict[str, str]:
    """Return environment variables from "['NAME=value']"; a secret has no place in a file."""
    found: dict[str, str] = {}
    for item in parse_list(text):
        name, sign, given = item.partition("=")
        if not sign or not VARIABLE.fullmatch(name):
            raise UsageError(f"{quote(item)} must be NAME=value")
        if not without_secrets({name: given}):
            raise UsageError(f"{name} looks like a secret; set it where opperf is started")
        found[name] = given
    return found

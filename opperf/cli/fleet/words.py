"""The words by which a host is asked for a part of what a client was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.common.options import shown_value
from opperf.core.configuration.options import OPTIONS

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Collection

    from opperf.core.configuration.options import Configuration

OF_CLIENT = frozenset({
    "help", "words", "filter", "models", "model", "log_lines", "task", "task_name", "config",
    "fleet", "on", "hosts_per_kind", "certs", "insecure", "detach",
    "runs_dir", "store", "format", "sort", "columns", "output_format", "output_file", "force",
    "quiet", "exit_zero", "dry_run", "wait", "lock", "index_url",
})  # fmt: skip
"""What is the client's own: what to choose, where, and where the results go."""


def flags_of(arguments: Namespace, configuration: Configuration) -> list[str]:
    """Return the flags that were given, and the options that the client's files and variables set.

    A host that has other files of configuration measures what the client was asked for.
    """
    configured = {
        option.name: shown_value(configuration[option.name].value)
        for option in OPTIONS
        if configuration[option.name].origin not in {"default", "command line"}
    }
    values = {**vars(arguments), **configured}
    words: list[str] = []
    seen: set[str] = set()
    for action in arguments.parser._actions:  # noqa: SLF001 - argparse lists them nowhere else
        value = values.get(action.dest)
        if action.dest in OF_CLIENT | seen or value is None or value == action.default:
            continue
        seen.add(action.dest)
        words += spelled(longest(action.option_strings), value, switch=action.nargs == 0)
    return words


def spelled(flag: str, value: object, *, switch: bool) -> list[str]:
    """Return a flag with its value as words; a list's values each have the flag."""
    if switch:
        return [flag]
    several = value if isinstance(value, list) else [value]
    return [f"{flag}={shown_value(one)}" for one in several]


def longest(spellings: Collection[str]) -> str:
    """Return a flag's first long spelling."""
    return next(one for one in spellings if one.startswith("--"))

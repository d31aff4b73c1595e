"""Flags that several verbs share, and what they mean together with the configuration."""

from __future__ import annotations

import os
import shlex
from ast import literal_eval
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.common.choices import Choices
from opperf.core.configuration.options import OPTIONS, resolve
from opperf.core.configuration.settings import Settings
from opperf.core.environment.variables import without_secrets
from opperf.core.errors import NotInstalledError, UsageError
from opperf.core.frameworks.registry import MEASURED, find_framework
from opperf.core.machine.affinity import usable_cores, usable_processors
from opperf.core.memory.available import available_memory
from opperf.legacy.spellings import device_name
from opperf.reporting.subjects import Listing, Run

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from opperf.core.configuration.options import Configuration
    from opperf.measuring.worker.handle import Limits

MEMORY_SHARE = 0.75
METAVARS = {
    "framework": "A,B",
    "device": "A,B",
    "threads": "N,M",
    "size": "A,B",
    "runs_dir": "DIR",
    "store": "URL",
    "memory_limit": "BYTES",
}


def add_format(
    parser: ArgumentParser, *subjects: type, default: str | None = "table", words: str = "table"
) -> None:
    """Add how rows are printed, and the further subjects of a verb.

    Args:
        parser: of the verb.
        subjects: those beside listings.
        default: the form where none is named; None where the verb then prints something else.
        words: what the help calls the default.
    """
    parser.add_argument(
        "--format", metavar="FORM", choices=Choices(Listing, *subjects, printable=True),
        default=default, help=f"form of the output (default: {words}): %(choices)s",
    )  # fmt: skip


def add_output_format(parser: ArgumentParser) -> None:
    """Add the form of a run's file."""
    parser.add_argument(
        "--output-format", metavar="FORM", choices=Choices(Run),
        help="form of --output-file (default: by its end, as .csv): %(choices)s",
    )  # fmt: skip


def add_names(parser: ArgumentParser) -> None:
    """Add the names of what is chosen; `parse` takes those behind flags, too."""
    parser.add_argument(
        "words", nargs="*", metavar="NAME",
        help="an operator, a category or a tag, such as Conv2D, gemm, core (default: all)",
    )  # fmt: skip


def add_filter(parser: ArgumentParser) -> None:
    """Add the filter."""
    text = "filter, such as 'category=gemm and dtype=float32' or 'name in (Add, Dot)'"
    parser.add_argument("-k", dest="filter", default="", metavar="FILTER", help=text)


def add_inputs(parser: ArgumentParser) -> None:
    """Add inputs that differ from a size's own."""
    parser.add_argument(
        "--input", action="append", default=[], metavar="NAME=VALUE",
        help="an input or attribute of every selected operator, such as 'lhs=(64,64)'",
    )  # fmt: skip


def add_oversubscribe(parser: ArgumentParser) -> None:
    """Add what allows more threads than processors."""
    parser.add_argument(
        "--oversubscribe", action="store_true", help="allow more --threads than processors"
    )


def add_options(parser: ArgumentParser, names: Sequence[str] | None = None) -> None:
    """Add a flag for each option of the configuration, whose value waits until it is resolved."""
    for option in OPTIONS:
        if names is None or option.name in names:
            flags = [f"--{option.name.replace('_', '-')}"]
            flags += ["--ctx"] if option.name == "device" else []
            shown = METAVARS.get(option.name, option.name.rpartition("_")[2].upper())
            default = "" if option.default is None else f" (default: {shown_value(option.default)})"
            parser.add_argument(
                *flags, dest=option.name, metavar=shown, help=f"{option.help}{default}"
            )


def shown_value(value: object) -> str:
    """Return an option's value in the user's notation."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def configuration_of(arguments: Namespace) -> Configuration:
    """Return every option's value and where it came from."""
    return resolve(vars(arguments), os.environ, Path.cwd())


def settings_of(configuration: Configuration) -> Settings:
    """Return how long and how precisely to measure."""
    names = ("precision", "budget", "warmup", "runs", "seed", "cache", "process", "cores")
    values = {name: configuration[name].value for name in names}
    return Settings(**values, threads=threads_of(configuration)[0])


def threads_of(configuration: Configuration) -> tuple[int, ...]:
    """Return the thread counts, each of them measured by itself."""
    counts: tuple[int, ...] = configuration["threads"].value
    return counts


def refuse_too_many(threads: Sequence[int]) -> None:
    """Refuse more threads than processors: they would take turns, and wait for each other."""
    processors = usable_processors()
    if max(threads) > processors:
        raise UsageError(
            f"--threads {max(threads)}: {processors} processors can be used here; "
            "give fewer, or --oversubscribe to let them take turns"
        )


def refuse_cores(cores: int | None, threads: Sequence[int], *, oversubscribe: bool) -> None:
    """Refuse more cores than there are, and fewer than threads unless that is asked for."""
    if cores is None:
        return
    there = usable_cores()
    if cores > there:
        raise UsageError(f"--cores {cores}: {there} can be used here; give {there} at most")
    if cores < max(threads) and not oversubscribe:
        raise UsageError(
            f"--cores {cores}: fewer than --threads {max(threads)}; "
            "give as many, or --oversubscribe to let threads take turns"
        )


def frameworks_of(configuration: Configuration) -> tuple[str, ...]:
    """Return the frameworks named, else every installed one of those that are measured."""
    named: tuple[str, ...] | None = configuration["framework"].value
    if named:
        return named
    found = tuple(name for name in MEASURED if find_framework(name).is_installed())
    if not found:
        raise NotInstalledError(
            "no framework to measure is installed; install one with: "
            "pip install 'opperf[mxnet]' or pip install 'opperf[pytorch]'"
        )
    return found


def devices_of(configuration: Configuration) -> tuple[str, ...]:
    """Return the devices in their own spelling, each once."""
    named: tuple[str, ...] = configuration["device"].value
    return tuple(dict.fromkeys(map(device_name, named)))


def memory_of(configuration: Configuration) -> int | None:
    """Return the child's memory in bytes: as asked for, else three quarters of what is free."""
    asked: int | None = configuration["memory_limit"].value
    return asked or share_of_memory()


def share_of_memory() -> int | None:
    """Return the bytes that all processes of a run may hold together: what is free, but a part."""
    available = available_memory()
    return int(available * MEMORY_SHARE) if available else None


def limits_of(configuration: Configuration, memory: int | None) -> Limits:
    """Return the time and the memory of a measuring process."""
    from opperf.measuring.worker.handle import Limits

    return Limits(
        timeout=configuration["timeout"].value,
        compile_timeout=configuration["compile_timeout"].value,
        memory=memory,
        together=max(memory or 0, share_of_memory() or 0) or None,
    )


def parse_inputs(texts: Sequence[str]) -> dict[str, Any]:
    """Return inputs from texts such as ``lhs=(64,64)``; a value that is no literal is a word."""
    inputs: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise UsageError(f"--input {text!r}: must be NAME=VALUE, such as lhs=(64,64)")
        inputs[name.strip()] = literal(value.strip())
    return inputs


def literal(text: str) -> object:
    """Return the Python literal a text stands for, else the text."""
    try:
        return literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return text


def parse_variables(texts: Sequence[str]) -> dict[str, str]:
    """Return environment variables from NAME=value texts; a secret has no place among them."""
    variables = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.isidentifier():
            raise UsageError(f"--env {text!r}: must be NAME=value")
        if not without_secrets({name: value}):
            raise UsageError(
                f"--env {name}: looks like a secret; a command line is no place for it"
            )
        variables[name] = value
    return variables


def refuse_half_characters(words: Sequence[str]) -> None:
    """Refuse words that are not UTF-8: a run keeps them, and no reader of it would take them."""
    for word in words:
        if any("\ud800" <= letter <= "\udfff" for letter in word):
            raise UsageError(f"argument {word!r} is not UTF-8, as all that a run keeps is")


def command_line(verb: str, words: Sequence[str]) -> str:
    """Return the command as a shell takes it, its verb named where it went without saying."""
    return shlex.join(["opperf", verb, *(words[1:] if [*words[:1]] == [verb] else words)])

"""Configuration: what every option is set to, and who said so.

The command line goes before OPPERF_* variables, these before opperf.toml, that before
[tool.opperf] in pyproject.toml, and all before the default. Only the value that wins is
checked; an unknown key in a file is always an error. An empty variable counts as not set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.file import read_file
from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError, unknown
from opperf.core.machine.affinity import usable_processors
from opperf.core.units import parse_bytes, parse_seconds, share_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = ("opperf.toml", "pyproject.toml")
"""The earlier wins."""
WIDEST_PRECISION = 0.5
YES, NO = "yes", "no"
SWITCH = {YES: (YES, "true", "on", "1"), NO: (NO, "false", "off", "0")}
"""How a switch may be written; `true` and `false` are TOML's."""


@dataclass(frozen=True)
class Option:
    """Something that may be set; `parse` turns text, or what TOML makes of it, into its value."""

    name: str
    parse: Callable[[object], object]
    default: object
    help: str

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"OPPERF_{self.name.upper()}"


@dataclass(frozen=True)
class Value:
    """What an option is set to, and where: a file, a variable, "command line" or "default"."""

    value: Any
    origin: str


Configuration = Mapping[str, Value]


def resolve(
    cli: Mapping[str, object],
    environ: Mapping[str, str],
    directory: Path,
) -> Configuration:
    """Return every option's value and origin.

    Args:
        cli: What the command line says, by option; None is not set, other names are ignored.
        environ: The environment.
        directory: Where to look for the files.

    Raises:
        UsageError: A value is not allowed, or a file is not readable or has an unknown key.
    """
    files = {file: known_keys(read_file(directory / file), file) for file in FILES}
    return {option.name: choose(option, cli, environ, files) for option in OPTIONS}


def choose(
    option: Option,
    cli: Mapping[str, object],
    environ: Mapping[str, str],
    files: Mapping[str, Mapping[str, object]],
) -> Value:
    """Return the option's value from the first origin that sets it."""
    settings: list[tuple[str, object]] = [
        ("command line", cli.get(option.name)),
        (option.variable, environ.get(option.variable) or None),
        *((file, table.get(option.name)) for file, table in files.items()),
    ]
    for origin, value in settings:
        if value is not None:
            return Value(check(option, value, origin), origin)
    return Value(option.default, "default")


def check(option: Option, value: object, origin: str) -> object:
    """Return the value as the option's type, or name all that is wrong with it."""
    try:
        return option.parse(value)
    except UsageError as error:
        raise UsageError(f"{option.name} ({origin}): {error}") from None


def known_keys(table: Mapping[str, object], file: str) -> Mapping[str, object]:
    """Return the table if all its keys are options."""
    names = [option.name for option in OPTIONS]
    for key in table:
        if key not in names:
            raise UsageError(unknown("key", key, names, f" in {file}"))
    return table


def parse_word(value: object) -> str:
    """Return printable text that is not empty."""
    if isinstance(value, str) and value.strip() and value.isprintable():
        return value.strip()
    raise UsageError(f"expected a word, not {value!r}")


def parse_words(value: object) -> tuple[str, ...]:
    """Return the words of a list, or of text with commas, each once."""
    words = value.split(",") if isinstance(value, str) else value
    if isinstance(words, list | tuple) and words:
        return tuple(dict.fromkeys(parse_word(word) for word in words))
    raise UsageError(f"expected a list of words, not {value!r}")


def parse_precision(value: object) -> float:
    """Return a relative half-width of an interval."""
    precision = share_of(str(value))
    if precision is not None and 0 < precision <= WIDEST_PRECISION:
        return precision
    raise UsageError(
        f"expected a share above 0 and up to {WIDEST_PRECISION:.0%}, such as 0.5% or 0.005, "
        f"not {value!r}"
    )


def parse_integer(least: int) -> Callable[[object], int]:
    """Return what parses integers of at least this."""

    def parse(value: object) -> int:
        try:
            number = int(str(value))
        except ValueError:
            number = least - 1
        if number >= least:
            return number
        raise UsageError(f"expected an integer of at least {least}, not {value!r}")

    return parse


def parse_switch(value: object) -> str:
    """Return yes or no."""
    word = str(value).strip().lower()
    for meaning, words in SWITCH.items():
        if word in words:
            return meaning
    raise UsageError(f"expected yes or no, not {value!r}")


def parse_time(value: object) -> float:
    """Return seconds."""
    return parse_seconds(str(value))


def parse_size(value: object) -> int:
    """Return bytes."""
    return parse_bytes(str(value))


def parse_threads(value: object) -> tuple[int, ...]:
    """Return the numbers of a list, each once, where `all` stands for one a processor."""
    listed = value if isinstance(value, list | tuple) else str(value).split(",")
    words = [str(word).strip() for word in listed] or [""]
    parse = parse_integer(1)
    counts = [usable_processors() if word == "all" else parse(word) for word in words]
    return tuple(dict.fromkeys(counts))


OPTIONS = (
    Option("framework", parse_words, None, "frameworks to measure (default: all installed)"),
    Option("device", parse_words, ("cpu",), "where to measure, such as cpu or cpu,cuda:0"),
    Option("dtype", parse_word, "float32", "the element type of the inputs"),
    Option("size", parse_words, ("typical",), "input sizes: small, typical, large, skewed, or all"),
    Option(
        "precision",
        parse_precision,
        Settings.precision,
        "relative half-width of the interval to reach",
    ),
    Option("budget", parse_time, Settings.budget, "time for each operator and direction to do so"),
    Option("runs", parse_integer(1), None, "samples, whatever the precision (default: as needed)"),
    Option("retry", parse_switch, YES, "measure unreliable times once more at the end: yes, no"),
    Option("warmup", parse_integer(0), None, "calls before the first sample (default: as needed)"),
    Option("timeout", parse_time, 60.0, "time after which an operator is stopped"),
    Option("compile_timeout", parse_time, 600.0, "the same, where the framework compiles it"),
    Option("memory_limit", parse_size, None, "memory of a process (default: 3/4 of what is free)"),
    Option("threads", parse_threads, (1,), "threads that a framework may use, or all; a list"),
    Option("cache", parse_word, Settings.cache, "hot, or cold: operands that come from memory"),
    Option("process", parse_word, Settings.process, "laid_out, or plain: as a user's own process"),
    Option("cores", parse_integer(1), None, "cores to keep each process to; by default as needed"),
    Option("seed", parse_integer(0), 0, "the seed of all random inputs"),
    Option("runs_dir", parse_word, "runs", "the folder that results are saved in"),
    Option(
        "store",
        parse_word,
        None,
        "a SQLite file or postgresql://... of results (default: none)",
    ),
)

"""The scripts by which shells complete opperf's command line, made of its parser by shtab."""

from __future__ import annotations

from argparse import Action, ArgumentParser, _SubParsersAction
from typing import TYPE_CHECKING

import shtab

from opperf.cli.completion import SHELLS
from opperf.cli.parser import make_parser
from opperf.core.frameworks.registry import BUILT_IN
from opperf.core.tensors.tensor import DTYPES
from opperf.declaring.declaration import SIZES
from opperf.declaring.registry import operators

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

OWN = "opperf.operators."
FILES = ("FILE", "RUN", "RUN_A", "RUN_B", "STORE")


def operator_words() -> list[str]:
    """Return the names of all operators and of their categories."""
    kinds = [kind for kind in operators().values() if kind.__module__.startswith(OWN)]
    return sorted({kind.name() for kind in kinds} | {kind.category for kind in kinds})


VALUES: Mapping[str, Callable[[], Sequence[str]]] = {
    "words": operator_words,
    "size": lambda: SIZES,
    "sizes": lambda: SIZES,
    "dtype": lambda: DTYPES,
    "framework": lambda: [*BUILT_IN],
    "frameworks": lambda: [*BUILT_IN],
}
"""What arguments may be of which argparse knows no choices, as they may be lists."""


def scripts() -> Iterator[tuple[str, str]]:
    """Yield the shell, and its script."""
    for shell in SHELLS:
        parser = make_parser()
        for action in actions_of(parser):
            teach(action)
        yield shell, shtab.complete(parser, shell).rstrip() + "\n"


def actions_of(parser: ArgumentParser) -> Iterator[Action]:
    """Yield the flags and positional arguments of all verbs and their tasks."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to them
        yield action
        if isinstance(action, _SubParsersAction):
            for verb in action.choices.values():
                yield from actions_of(verb)


def teach(action: Action) -> None:
    """Say what a value may be where argparse does not know: a file, a folder, an operator."""
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if metavar in FILES:
        action.complete = shtab.FILE  # type: ignore[attr-defined]
    elif metavar == "DIR":
        action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    elif action.choices is None:
        action.choices = VALUES.get(action.dest, list)() or None

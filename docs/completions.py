"""The scripts by which shells complete opperf's command line, made of its parser by shtab."""

from __future__ import annotations

from argparse import Action, ArgumentParser, _SubParsersAction
from typing import TYPE_CHECKING

import shtab

from opperf.cli.common.arranging import UNRELIABLE
from opperf.cli.parser import make_parser
from opperf.cli.verbs.completion import SHELLS
from opperf.core.frameworks.registry import framework_names, plug_ins
from opperf.core.results.status import STATUSES
from opperf.core.tensors.tensor import DTYPES
from opperf.declaring.declaration import SIZES
from opperf.declaring.registry import operators
from opperf.measuring.probes import probed_names
from opperf.networks.discovery import FRAMEWORKS, find_entries
from opperf.reporting.arrangement import COLUMNS
from opperf.storing.run_directory import RUN_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opperf.declaring.declaration import Declaration

OWN = "opperf."
FILES = ("FILE", "STORE")
RUNS = ("RUN", "RUN_A", "RUN_B")
RUN = {
    "bash": "_opperf_compgen_run_files",
    "zsh": "_opperf_runs",
    "fish": "(_opperf_runs)",
    "preamble": {
        "bash": f"""
_opperf_compgen_run_files() {{
  local path name
  compgen -W last -- "$1"
  for path in runs/*/run.json; do
    name="${{path%/run.json}}"
    name="${{name#runs/}}"
    [[ "$name" =~ ^{RUN_ID.pattern}$ && "$name" == "$1"* ]] && printf '%s\\n' "$name"
  done
  compgen -f -- "$1"
}}
""",
        "zsh": f"""
_opperf_runs() {{
  local name
  local -a names
  names=(last)
  for name in runs/*/run.json(N:h:t); do
    [[ "$name" =~ '^{RUN_ID.pattern}$' ]] && names+=("$name")
  done
  compadd -a names
  _files
}}
""",
        "fish": f"""
function _opperf_runs
  printf '%s\\n' last
  for path in runs/*/run.json
    string match -r -- '(?<=^runs/){RUN_ID.pattern}(?=/run\\.json$)' $path
  end
  __fish_complete_path (commandline -ct)
end
""",
    },
}
"""What a run may be: the last one, one of the folder runs, or a file. Only what has the form of a
run's id is offered of the folder, so that no name there is more to a shell than a word."""


def own_operators() -> list[type[Declaration]]:
    """Return the operators of this package, whatever else is installed here."""
    return [kind for kind in operators().values() if kind.__module__.startswith(OWN)]


def operator_names() -> list[str]:
    """Return the names of all operators."""
    return sorted(kind.name() for kind in own_operators())


def operator_words() -> list[str]:
    """Return the names of all operators, their categories and their tags."""
    kinds = own_operators()
    tags = {tag for kind in kinds for tag in kind.tags}
    return sorted({*operator_names(), *(kind.category for kind in kinds), *tags})


def framework_words() -> list[str]:
    """Return the frameworks of this package."""
    others = {point.name for point in plug_ins() if not point.value.startswith(OWN)}
    return [name for name in framework_names() if name not in others]


def network_names() -> list[str]:
    """Return the networks of this package."""
    found = (entry for name in FRAMEWORKS for entry in find_entries(name).values())
    return sorted({entry.name for entry in found if (entry.module or "").startswith(OWN)})


VALUES: Mapping[str, Callable[[], Sequence[str]]] = {
    "words": operator_words,
    "operator": operator_names,
    "models": network_names,
    "model": network_names,
    "size": lambda: SIZES,
    "sizes": lambda: SIZES,
    "dtype": lambda: DTYPES,
    "framework": framework_words,
    "frameworks": framework_words,
    "metric": lambda: ["time", *probed_names()],
    "only": lambda: [*STATUSES, UNRELIABLE],
    "columns": lambda: [*COLUMNS],
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
    """Say what a value may be where argparse does not know: a file, a run, an operator."""
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if metavar in FILES:
        action.complete = shtab.FILE  # type: ignore[attr-defined]
    elif metavar in RUNS:
        action.complete = RUN  # type: ignore[attr-defined]
    elif metavar == "DIR":
        action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    elif action.choices is None:
        action.choices = VALUES.get(action.dest, list)() or None

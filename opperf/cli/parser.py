"""The verbs and their flags."""

from __future__ import annotations

from argparse import Action, ArgumentError, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from opperf.core.errors import unknown
from opperf.core.version import VERSION
from opperf.reporting.text import clean
from opperf.reporting.text import message as printable

if TYPE_CHECKING:
    from collections.abc import Sequence

VERBS = {
    "run": "verbs.run",
    "resume": "verbs.resume",
    "list": "verbs.listing",
    "show": "verbs.show",
    "ab": "verbs.ab",
    "bisect": "verbs.bisect",
    "compare": "verbs.compare",
    "follow": "verbs.follow",
    "model": "verbs.model",
    "spec": "verbs.spec",
    "method": "verbs.method",
    "plot": "verbs.plot",
    "task": "verbs.task",
    "venv": "verbs.venv",
    "machine": "verbs.machine",
    "fleet": "fleet",
    "report": "verbs.report",
    "send": "verbs.send",
    "profile": "verbs.profile",
    "doctor": "verbs.doctor",
    "env": "verbs.env",
    "config": "verbs.config",
    "schema": "verbs.schema",
    "completion": "verbs.completion",
    "import": "verbs.importing",
    "export": "verbs.exporting",
    "history": "verbs.history",
    "changes": "verbs.changes",
    "baseline": "verbs.baseline",
    "db": "verbs.db",
}
"""The module of each verb, imported when it is asked for: all of them take half a second."""
OF_RESULTS = (
    "show prints a run on the terminal, report makes pages of it and summaries for CI, export "
    "writes files for other programs; all three take a run, -k and --only"
)
OF_MACHINE = (
    "env says what this machine is, doctor what of it limits the numbers, config with which "
    "options opperf measures on it"
)
SEE = {
    **dict.fromkeys(("show", "report", "export"), OF_RESULTS),
    **dict.fromkeys(("env", "doctor", "config"), OF_MACHINE),
}
"""How verbs that overlap differ, below the options of each."""
EPILOG = """\
exit codes: 0 fine, 1 internal error or nothing can be saved, 2 usage or configuration,
10 confirmed slower or newly failing, 11 some operators failed, 12 nothing selected or only
unsupported, 13 inconclusive or the control failed, 14 not comparable, 130 interrupted (resumable)
"""


class Parser(ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """End with exit code 2."""
        said = printable(clean(f"{message}{self.nearest(message)}"))
        self.exit(2, f"{self.prog}: {said}; see {self.prog} --help\n")

    def _check_value(self, action: Action, value: object) -> None:
        """Refuse a value that is no choice, with its nearest match."""
        if action.choices is not None and value not in action.choices:
            raise ArgumentError(action, unknown("value", value, action.choices))

    def nearest(self, message: str) -> str:
        """Return the flag that an unrecognized one may have meant."""
        words = message.rpartition(": ")[2].split()
        flags = [flag for action in self._actions for flag in action.option_strings]
        near = get_close_matches(words[0].partition("=")[0], flags, n=1) if words else []
        return f"; did you mean {near[0]}?" if "unrecognized" in message and near else ""


def make_parser(only: str = "") -> ArgumentParser:
    """Return the parser of one verb, or of all verbs where `only` names none."""
    parser, verbs = empty_parser()
    for name in [only] if only in VERBS else VERBS:
        verb = import_module(f"opperf.cli.{VERBS[name]}")
        purpose = (verb.__doc__ or "").splitlines()[0]
        added = verbs.add_parser(
            name, help=purpose, description=purpose, epilog=SEE.get(name), allow_abbrev=False
        )
        verb.add_arguments(added)
        added.set_defaults(execute=verb.execute, parser=added)
    return parser


def overview() -> ArgumentParser:
    """Return a parser that knows the verbs by name and purpose, and imports none of them."""
    parser, verbs = empty_parser()
    for name, module in VERBS.items():
        path = Path(__file__).parent.joinpath(*module.split("."))
        source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        with source.open(encoding="utf-8") as file:
            verbs.add_parser(name, help=file.readline().strip().strip('"'))
    return parser


def empty_parser() -> tuple[ArgumentParser, Any]:
    """Return a parser without verbs, and what takes them."""
    parser = Parser(
        prog="opperf",
        description="What every tensor operator costs, on MXNet and PyTorch.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"opperf {VERSION}")
    return parser, parser.add_subparsers(metavar="VERB", required=True, parser_class=Parser)


def parse(arguments: Sequence[str], default_verb: str | None = None) -> Namespace:
    """Return what the arguments say; what is unknown is refused by the verb, which knows more."""
    words = with_default_verb(arguments, default_verb)
    verb = next((word for word in words if not word.startswith("-")), "")
    parser = make_parser(verb) if verb in VERBS else overview()
    parsed, others = parser.parse_known_args(words)
    if "words" in parsed and not any(word.startswith("-") for word in others):
        parsed.words += others  # argparse takes names from one place only
    elif others:
        parsed.parser.error(f"unrecognized arguments: {' '.join(others)}")
    return parsed


def with_default_verb(arguments: Sequence[str], verb: str | None) -> Sequence[str]:
    """Return the arguments with the verb in front where they begin with a flag or not at all."""
    first = arguments[0] if arguments else "-"
    wanted = first.startswith("-") and first not in {"-h", "--help", "--version"}
    return [verb, *arguments] if verb and wanted else arguments

"""The man page of opperf, made of its parser by argparse-manpage."""

from __future__ import annotations

import os
import re
from argparse import _SubParsersAction
from typing import TYPE_CHECKING

from argparse_manpage.manpage import Manpage

from opperf.cli.parser import make_parser
from opperf.core.version import VERSION

if TYPE_CHECKING:
    from argparse import ArgumentParser

MORE = {
    "environment": {
        "OPPERF_FRAMEWORK": "the framework of classes of opperf.nd, where none is named",
        "OPPERF_STORE": "the store of results, where no flag names one",
        "OPPERF_...": "any option of opperf run, such as OPPERF_BUDGET=0.1s; see opperf config",
        "NO_COLOR, CLICOLOR_FORCE, COLUMNS": "whether colors are used, and the width of tables",
    },
    "files": {
        "runs/ID/": "a run: what was asked for, its results, what failed processes printed",
        "opperf.toml": "options; likewise [tool.opperf] of pyproject.toml; see opperf config",
    },
}
"""What the page tells beyond the parser: sections of terms and what they mean."""
USAGE = re.compile(r"^usage: .*?(?=\n\n)", re.MULTILINE | re.DOTALL)
REQUEST = re.compile(r"^(?=')", re.MULTILINE)
"""A quotation mark that begins a line would be a command to roff."""


def page() -> str:
    """Return the page in roff; it has no date, so that the same parser gives the same bytes."""
    os.environ["COLUMNS"] = "80"  # of which argparse makes the width of usages
    parser = make_parser()
    codes = parser.epilog or ""
    parser.epilog = None
    say_once(parser)
    made = Manpage(parser, format="single-commands-section")
    made.date, made.manual, made.source = " ", "opperf", f"opperf {VERSION}"
    made.description = parser.description
    made.synopsis = ["opperf", "[--version] VERB [--help] ..."]
    for heading, terms in MORE.items():
        text = "\n".join(f".TP\n\\fB{term}\\fR\n{said}" for term, said in terms.items())
        made.add_section(heading, "=", text.replace("-", r"\-"))
    codes = codes.removeprefix("exit codes: ").strip().replace("-", r"\-")
    made.add_section("exit status", "=", codes)
    text = str(made).replace(".SH\nPOSITIONAL ARGUMENTS", ".SH VERBS").replace("\n\n.SH", "\n.SH")
    return REQUEST.sub(r"\\&", USAGE.sub(lambda match: f".nf\n{match[0]}\n.fi", text))


def say_once(parser: ArgumentParser) -> None:
    """Take away what verbs and their tasks say of themselves where their list says it already."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to them
        if isinstance(action, _SubParsersAction):
            for verb in action.choices.values():
                verb.description = None
                say_once(verb)

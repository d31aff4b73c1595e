"""Make the documentation a site, for a browser and without a server.

Run: ``python docs/build_site.py DIR``.

The texts are those of docs/, README.md, CONTRIBUTING.md and CHANGELOG.md, and what is generated of
the parser, the options, the schemas and the docstrings. Whatever Sphinx warns of is an error.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from argparse import _SubParsersAction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sphinx.cmd.build import build_main

from opperf.cli.parser import make_parser
from opperf.core.configuration.options import FILES, OPTIONS
from opperf.core.results.json_schema import record_schema

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator, Sequence

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
ABOVE = {
    "README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md",
    "examples": "examples.md",
}  # fmt: skip
"""The texts of the checkout's own folder, and what they are called here."""
LINK = re.compile(r"(?<=\]\()(?:\.\./|docs/|lab/)*([^)#:]+)(?=[)#])")
PROMISED = re.compile(r"^\| ((?:`opperf[\w.]+`(?:, )?)+) \|", re.MULTILINE)
OTHERS = ("opperf.nd", "opperf.mxnet_benchmarks.nd", "opperf.pytorch_benchmarks.nd")
"""Modules of a class for each operator: operators.md is about these."""
RETURNED = (
    "opperf.api.run.LoadedRun", "opperf.api.comparison.RunComparison",
    "opperf.api.history.Histories", "opperf.api.store.RunStore",
    "opperf.core.results.result.Result",
)  # fmt: skip
"""What the functions of opperf return."""

ORDER = f"""\
# Configuration

What stands on the command line goes before `OPPERF_...` variables, these before {FILES[0]}, that
before [tool.opperf] in {FILES[1]}, and all before the default. `opperf config` prints each option's
value and where it comes from. A key that is unknown is an error.

```toml
# opperf.toml
framework = ["pytorch"]
budget = "0.2s"
```
"""
"""What the page of the options begins with."""


def main(arguments: Sequence[str]) -> int:
    """Write the site into a folder, and return Sphinx's exit code."""
    if len(arguments) != 1:
        print("usage: python docs/build_site.py DIR", file=sys.stderr)
        return 2
    with TemporaryDirectory() as name:
        folder = Path(name)
        assemble(folder)
        return build(folder, Path(arguments[0]))


def assemble(folder: Path) -> None:
    """Put all texts into one folder, where their links lead to each other."""
    for name in ("images", "notebooks", "workflows"):
        shutil.copytree(DOCS / name, folder / name)
    for path in [*DOCS.glob("*.md"), *DOCS.glob("lab/*.md"), *(DOCS / "site").iterdir()]:
        if path.is_file():
            write(folder / path.name, path.read_text(encoding="utf-8"))
    for name, other in ABOVE.items():
        if name.endswith(".md"):
            more = (folder / other).read_text(encoding="utf-8") if (folder / other).exists() else ""
            write(folder / other, f"{(ROOT / name).read_text(encoding='utf-8')}\n{more}")
    for path in ("LICENSE", "NOTICE", "action.yml", "Containerfile"):
        shutil.copy2(ROOT / path, folder)
    os.environ["COLUMNS"] = "90"  # of which argparse makes the width of help
    pages = {
        "verbs": verbs, "configuration": configuration, "records": records, "api": api,
        "examples": examples,
    }  # fmt: skip
    for name, text in pages.items():
        write(folder / f"{name}.md", "\n".join(text()) + "\n")


def build(folder: Path, target: Path) -> int:
    """Make pages of the texts of a folder, and return Sphinx's exit code."""
    return build_main(["-b", "html", "-W", "--keep-going", "-q", str(folder), str(target)])


def write(path: Path, text: str) -> None:
    """Write a text whose links lead to files of the one folder."""
    if path.suffix == ".md":
        text = LINK.sub(lambda found: ABOVE.get(found[1], found[1]), text)
    path.write_text(text, encoding="utf-8")


def verbs() -> Iterator[str]:
    """Yield what each verb says of itself."""
    yield "# Verbs\n\nWhat `--help` says. Examples: [commands.md](commands.md)."
    yield from helps(make_parser(), "##")


def helps(parser: ArgumentParser, level: str) -> Iterator[str]:
    """Yield the help of a parser's verbs, and of their tasks."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to them
        if isinstance(action, _SubParsersAction):
            for verb in action.choices.values():
                yield f"\n{level} {verb.prog}\n\n```text\n{verb.format_help().strip()}\n```"
                yield from helps(verb, f"{level}#")


def configuration() -> Iterator[str]:
    """Yield the table of the options."""
    yield ORDER
    yield "| option | variable | default | what it is |\n|---|---|---|---|"
    for option in OPTIONS:
        default = "-" if option.default is None else f"`{option.default}`"
        yield f"| {option.name} | `{option.variable}` | {default} | {option.help} |"


def records() -> Iterator[str]:
    """Yield the fields of a record, and its schema."""
    schema = record_schema()
    yield "# Records\n\nA result is a line of JSON in runs/ID/results.jsonl, by this JSON Schema,"
    yield f"which `opperf schema result` prints.\n\n```json\n{json.dumps(schema, indent=1)}\n```"


def examples() -> Iterator[str]:
    """Yield the programs of examples/."""
    yield "# Examples\n\nPrograms of the folder examples/, each complete."
    for path in sorted((ROOT / "examples").rglob("*.py")):
        text = path.read_text(encoding="utf-8").strip()
        yield f"\n## {path.relative_to(ROOT)}\n\n```python\n{text}\n```"


def api() -> Iterator[str]:
    """Yield what Python can rely on, from its docstrings."""
    yield "# Python\n\nWhat is promised of these names: [stability.md](stability.md).\n"
    text = (DOCS / "stability.md").read_text(encoding="utf-8")
    for row in PROMISED.findall(text):
        for name in re.findall(r"`([\w.]+)`", row):
            if name not in OTHERS:
                yield described(name)
    yield "## What these return\n\nMade by the functions above, and not by their own names.\n"
    yield from map(described, RETURNED)


def described(name: str) -> str:
    """Return a heading, and the directive that describes a function or a class with its members."""
    last = name.rpartition(".")[2]
    is_function = last[0].islower() and last != "timer"
    directive = "autofunction" if is_function else "autoclass"
    members = "" if is_function else "\n   :members:"
    return f"## {name}\n\n```{{eval-rst}}\n.. {directive}:: {name}{members}\n```\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

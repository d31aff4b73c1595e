"""Print what a shell needs to complete opperf's verbs, flags and values."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

FOLDER = Path(__file__).parents[1] / "completions"
"""The scripts, written by docs/generate.py: nothing is imported when a key is pressed."""
SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument("shell", choices=SHELLS, help="which shell: docs/shells.md")


def execute(arguments: Namespace) -> int:
    """Print the shell's script."""
    print(FOLDER.joinpath(f"opperf.{arguments.shell}").read_text(encoding="utf-8"), end="")
    return 0

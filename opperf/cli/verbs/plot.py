"""Draw the process_info.log of a benchmark method as a PDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.methods.plot import plot_samples

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

END = ".pdf"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the file, and where the PDF goes."""
    parser.add_argument("file", metavar="FILE", help="process_info.log of a method's folder")
    parser.add_argument(
        "--output-file", metavar="FILE", help="the PDF (default: beside it, process_info.pdf)"
    )


def execute(arguments: Namespace) -> int:
    """Read, draw and write."""
    path = Path(arguments.file)
    plot_samples(path, Path(arguments.output_file or path.parent / f"{path.stem}{END}"))
    return 0

"""Draw the process_info.log of a benchmark method as a PDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.messages import say
from opperf.core.disk import write_whole
from opperf.core.errors import UsageError, quote_path
from opperf.methods.process_info import read_samples
from opperf.reporting.process_plot import draw_samples, require

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

MAGIC = b"%PDF"
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


def plot_samples(path: Path, target: Path) -> None:
    """Write the PDF of a file of samples.

    Raises:
        UsageError: the file is none, or what would be replaced is no PDF.
    """
    require()
    samples = read_samples(path)
    try:
        if target.exists():
            with target.open("rb") as file:
                if file.read(len(MAGIC)) != MAGIC:
                    raise UsageError(f"{quote_path(target)} exists and is no PDF; name another")
        write_whole(target, draw_samples(samples, str(path.absolute().parent.name)))
    except OSError as error:
        raise UsageError(f"cannot write {quote_path(target)}: {error.strerror}") from error
    say(f"plot: {target}")

"""The PDF of what a method took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.core.disk import write_whole
from opperf.core.errors import UsageError, quote_path
from opperf.methods.process_info import read_samples
from opperf.reporting.process_plot import draw_samples, require

if TYPE_CHECKING:
    from pathlib import Path

MAGIC = b"%PDF"


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

"""Write the results of a run for other programs: json, jsonl, csv, parquet, pytest-benchmark."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.filtering import facts_filter, matching
from opperf.cli.finding import find_results
from opperf.cli.options import add_filter, add_options
from opperf.cli.output import check_writable, form_of, partial_path, say
from opperf.cli.show import EMPTY
from opperf.reporting import files
from opperf.reporting.rows import flat
from opperf.storing import StorageError
from opperf.storing.foreign import parquet, pytest_benchmark

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from opperf.core.results.result import Result

FORMS = ("json", "jsonl", "csv", "parquet", "pytest-benchmark")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument(
        "run", metavar="RUN", nargs="?", default="last", help="a run's id, a results file, or: last"
    )
    add_filter(parser)
    parser.add_argument("--output-format", choices=FORMS, help="default: by the file's name")
    parser.add_argument("--output-file", metavar="FILE", required=True, help="where to")
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    add_options(parser, ["runs_dir", "store"])


def execute(arguments: Namespace) -> int:
    """Write what the filter leaves of the run."""
    chosen = facts_filter(arguments.filter)
    path = Path(arguments.output_file)
    form = arguments.output_format or form_of(path, FORMS)
    if form == "parquet":
        parquet.require()
    check_writable(path, force=arguments.force)
    results = matching(find_results(arguments, arguments.run), chosen)
    if not results:
        say(f"no result of {arguments.run} matches {arguments.filter!r}")
        return EMPTY
    export(results, form, path)
    say(f"{len(results)} results: {path}")
    return 0


def export(results: Sequence[Result], form: str, path: Path) -> None:
    """Write the results, whole or not at all."""
    partial = partial_path(path)
    try:
        if form == "parquet":
            parquet.write([flat(result) for result in results], partial)
        elif form == "pytest-benchmark":
            partial.write_text(pytest_benchmark.write(results), encoding="utf-8")
        else:
            with partial.open("w", encoding="utf-8", newline="") as stream:
                files.write(results, form, stream)
        partial.replace(path)
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            partial.unlink()

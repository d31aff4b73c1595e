"""A specification whose tests are followed instead of operators."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.methods.surroundings import flag_adder
from opperf.cli.pairs.fresh import refuse_beside
from opperf.core.errors import UsageError
from opperf.specs.format.reading import read_specifications

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

PATHS = {
    "benchmark_file": "--spec",
    "model_cache": "--model-cache",
    "root_model_dir": "--root-model-dir",
}
"""The options of `repo_driver.py`, and what `opperf ab` calls them."""
OF_OPERATORS = ("filter", "input", "size", "dtype")


def add_specification(parser: ArgumentParser) -> None:
    """Add what names a specification and says where its models are."""
    add = flag_adder(parser)
    add("benchmark-file", metavar="FILE", help="measure a specification's tests: docs/specs.md")
    add("model-cache", metavar="DIR", help="with --benchmark_file: where models are kept")
    add(
        "root-model-dir", metavar="DIR",
        help="with --benchmark_file: the folder that locations after // start from",
    )  # fmt: skip
    add(
        "trust-model", action="store_true",
        help="with --benchmark_file: load models that can run code of their own",
    )  # fmt: skip


def specification_words(arguments: Namespace) -> list[str]:
    """Return what `opperf ab` is told of the specification, in any folder; nothing without one.

    Raises:
        UsageError: it is wrong, or a flag is given that does not go with it.
    """
    given = [name for name in (*PATHS, "trust_model") if getattr(arguments, name)]
    if not arguments.benchmark_file:
        if given:
            raise UsageError(f"--{given[0]} needs --benchmark_file: the specification")
        return []
    refuse_beside("--benchmark_file", arguments, OF_OPERATORS)
    read_specifications(Path(arguments.benchmark_file))
    words = ["--trust-model"] if arguments.trust_model else []
    for name, flag in PATHS.items():
        if value := getattr(arguments, name):
            words += [flag, str(Path(value).absolute())]
    return words

"""A comparison of specifications' tests in two arms: which are asked for, and what was kept."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from typing import TYPE_CHECKING

from opperf.cli.common.options import configuration_of, threads_of
from opperf.cli.pairs.selection import frameworks_in
from opperf.cli.specs.asked import tasks_of
from opperf.cli.specs.flags import add_all_flags
from opperf.core.configuration.settings import Settings

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Mapping

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.core.configuration.options import Configuration
    from opperf.specs.measuring.task import SpecTask


def add_specs(parser: ArgumentParser) -> None:
    """Add the flags that name specifications, and say where their models are."""
    parser.add_argument(
        "--spec", action="append", default=[], metavar="FILE",
        help="compare the tests of a specification: docs/specs.md; several times for several",
    )  # fmt: skip
    parser.add_argument(
        "--trust-model", action="store_true",
        help="with --spec: load models that can run code of their own",
    )  # fmt: skip
    for name, purpose in (
        ("model-cache", "where models are kept"),
        ("root-model-dir", "the folder that locations after // start from"),
    ):
        parser.add_argument(f"--{name}", metavar="DIR", help=f"with --spec: {purpose}")


def spec_tasks(
    arguments: Namespace, configuration: Configuration, arms: Mapping[str, ArmSpec]
) -> Iterator[SpecTask]:
    """Yield the tests of the files that are named, one a framework and number of threads.

    Raises:
        UsageError: one is wrong, or a framework has no loader for its model.
    """
    seed = configuration["seed"].value
    named = frameworks_in(arms) or configuration["framework"].value
    parser = ArgumentParser()
    add_all_flags(parser)
    for file in arguments.spec:
        words = [file, *(["--framework", ",".join(named)] if named else [])]
        words += ["--trust-model"] if arguments.trust_model else []
        for flag in ("model_cache", "root_model_dir"):
            if value := getattr(arguments, flag):
                words += [f"--{flag}", value]
        asked = parser.parse_args(words)
        asked.given = words
        for task, _ in tasks_of(asked, configuration_of(asked)):
            for threads in threads_of(configuration):
                yield replace(task, settings=Settings(seed=seed, threads=threads))

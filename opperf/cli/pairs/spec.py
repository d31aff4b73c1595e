"""A comparison of specifications' tests in two arms: which are asked for, and what was kept."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from itertools import groupby, product
from typing import TYPE_CHECKING

from opperf.cli.common.options import configuration_of, devices_of, threads_of
from opperf.cli.pairs.selection import frameworks_in
from opperf.cli.specs.asked import tasks_of
from opperf.cli.specs.flags import add_all_flags
from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.core.configuration.options import Configuration
    from opperf.specs.measuring.task import SpecTask

OF_DEVICES = ("devices", "excluded_devices", "backend")
PASSED_ON = ("model_cache", "root_model_dir", *OF_DEVICES)
"""The flags of `opperf spec` that mean the same in a comparison."""
USUAL_PLATFORM = "cpu"


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
    for name, value, purpose in (
        ("model-cache", "DIR", "where models are kept"),
        ("root-model-dir", "DIR", "the folder that locations after // start from"),
        ("devices", "A,B", "devices of the platform of --device, by id or hash"),
        ("excluded-devices", "A,B", "devices that are left out, by id or hash"),
        ("backend", "NAME", "the option backend of the framework's loader"),
    ):
        parser.add_argument(f"--{name}", metavar=value, help=f"with --spec: {purpose}")


def platform_words(arguments: Namespace, devices: Sequence[str]) -> list[list[str]]:
    """Return what `opperf spec` is told of each platform that devices are of.

    Those of --device are all that are measured, unless --devices names others of the platform.
    """
    found: list[list[str]] = []
    for name, alike in groupby(sorted(devices), key=lambda device: device.partition(":")[0]):
        own = [] if arguments.devices else ["--devices", ",".join(alike)]
        found.append(["--platform", name, *own] if name != USUAL_PLATFORM else [])
    return found


def refuse_without_spec(arguments: Namespace) -> None:
    """Refuse flags that say how a specification's models run, where there is none.

    Raises:
        UsageError: one is given.
    """
    for name in () if arguments.spec else ("trust_model", *PASSED_ON):
        if getattr(arguments, name):
            remedy = "; an operator's device is --device" if name in OF_DEVICES else ""
            raise UsageError(f"--{name.replace('_', '-')} goes with --spec{remedy}")


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
    shared = ["--framework", ",".join(named)] if named else []
    shared += ["--trust-model"] if arguments.trust_model else []
    for flag in PASSED_ON:
        if value := getattr(arguments, flag):
            shared += [f"--{flag}", value]
    places = platform_words(arguments, devices_of(configuration))
    for file, place in product(arguments.spec, places):
        words = [file, *shared, *place]
        asked = parser.parse_args(words)
        asked.given = words
        for task, _ in tasks_of(asked, configuration_of(asked)):
            for threads in threads_of(configuration):
                yield replace(task, settings=Settings(seed=seed, threads=threads))

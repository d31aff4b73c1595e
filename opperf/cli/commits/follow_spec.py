"""A specification whose tests are followed instead of operators."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.methods.surroundings import flag_adder
from opperf.cli.pairs.fresh import refuse_beside
from opperf.core.errors import UsageError
from opperf.specs.format.reading import read_specifications
from opperf.specs.platforms.registry import find_platform
from opperf.specs.platforms.selection import choose_devices

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

PATHS = {
    "benchmark_file": "--spec",
    "model_cache": "--model-cache",
    "root_model_dir": "--root-model-dir",
}
TEXTS = {
    "devices": "--devices",
    "excluded_devices": "--excluded-devices",
    "backend": "--backend",
}
"""The options of harness.py that `repo_driver.py` passes on, and what `opperf ab` calls them."""
REFUSED = {
    "program": "each commit is run by the Python of its own build, which is what is compared",
    "android_dir": "a comparison runs frameworks on this machine, and no Android device",
}
"""Those that a comparison cannot have, and why."""
REMEDY = "leave it out, or measure one build by `opperf spec`"
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
    for name in ("devices", "excluded-devices", "backend", "shared-libs"):
        shown = "NAME" if name == "backend" else "A,B"
        add(name, metavar=shown, help="with --benchmark_file: as of `opperf spec`")
    for name, why in REFUSED.items():
        add(name.replace("_", "-"), metavar="PATH", help=f"refused: {why}")


def specification_words(arguments: Namespace) -> list[str]:
    """Return what `opperf ab` is told of the specification, in any folder; nothing without one.

    Raises:
        UsageError: it is wrong, or a flag is given that does not go with it.
    """
    for name, why in REFUSED.items():
        if getattr(arguments, name):
            raise UsageError(f"--{name}: {why}; {REMEDY}")
    names = (*PATHS, *TEXTS, "shared_libs", "trust_model")
    given = [name for name in names if getattr(arguments, name)]
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
    for name, flag in TEXTS.items():
        if value := getattr(arguments, name):
            words += [flag, value]
    return words


def refuse_devices(arguments: Namespace, devices: Sequence[str]) -> None:
    """Refuse --devices and --excluded_devices that leave none of a platform's.

    Args:
        arguments: of the command line.
        devices: what each platform measures on by itself, as "cpu" or "cuda:0".

    Raises:
        UsageError: names the devices that there are.
    """
    if arguments.devices or arguments.excluded_devices:
        for name in dict.fromkeys(device.partition(":")[0] for device in devices):
            there = find_platform(name).devices()
            choose_devices(there, arguments.devices, arguments.excluded_devices, name)

"""The flags of `opperf spec`: those of FAI-PEP's harness.py in both spellings, and a run's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from opperf.cli.common.options import (
    add_format,
    add_options,
    add_output_format,
    add_oversubscribe,
)
from opperf.cli.methods.surroundings import flag_adder
from opperf.cli.running.estimates import add_dry_run
from opperf.cli.specs.reporters import add_reporter_options
from opperf.cli.specs.run import add_saving
from opperf.core.configuration.json_form import parse_json
from opperf.core.errors import UsageError, quote
from opperf.reporting.subjects import Run
from opperf.specs.format.document import SpecMetaRecord
from opperf.specs.format.place import Place
from opperf.specs.format.source import checked_json
from opperf.specs.format.strict import strict_part
from opperf.specs.reporters.meta import RUN_TYPES

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_all_flags(parser: ArgumentParser) -> None:
    """Add all that `opperf spec` takes, which a comparison asks for test by test."""
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="a specification, or a list of specifications"
    )
    add_spec_flags(parser)
    add_run_flags(parser)
    add_dry_run(parser)


def add_spec_flags(parser: ArgumentParser) -> None:
    """Add what harness.py takes, where its name says something here, too."""
    add = flag_adder(parser)
    parser.add_argument(
        "-b", "--benchmark-file", "--benchmark_file", metavar="FILE",
        help="the same, as a flag",
    )  # fmt: skip
    parser.add_argument(
        "-p", "--platform", default="cpu", metavar="NAME",
        help="where the tests run: cpu, cuda, adb or a plug-in's; what follows a slash is for "
        "reports (default: %(default)s)",
    )  # fmt: skip
    add("devices", metavar="A,B", help="the devices, by id or hash (default: all of the platform)")
    add("excluded-devices", metavar="A,B", help="devices that are left out, by id or hash")
    add(
        "model-cache", metavar="DIR",
        help="where models are kept (default: opperf/models in the user's cache folder)",
    )  # fmt: skip
    add("root-model-dir", metavar="DIR", help="the folder that locations after // start from")
    add(
        "string-map", metavar="JSON", default="{}",
        help="values of placeholders, as '{\"MODEL_DIR\": \"/models\"}'",
    )  # fmt: skip
    add(
        "info", metavar="JSON", default="{}",
        help="what is compared: treatment and control with commit and commit_time; meta",
    )  # fmt: skip
    add("run-type", choices=RUN_TYPES, default="benchmark", help="what reports call this run")
    add(
        "regressed-types", metavar="JSON", default="[]",
        help="what has regressed, as a list of texts, for reports",
    )  # fmt: skip
    add(
        "program", metavar="FILE",
        help="the Python that runs frameworks; on devices of other platforms the executable",
    )  # fmt: skip
    add("shared-libs", metavar="A,B", help="shared libraries that the program needs")
    add("backend", metavar="NAME", help="the option backend of the framework's loader")
    add("android-dir", metavar="DIR", help="the folder of an Android device that files go to")
    add("trust-model", action="store_true", help="load models that can run code of their own")


def add_run_flags(parser: ArgumentParser) -> None:
    """Add what every run of opperf takes."""
    parser.add_argument("--list", action="store_true", help="say which tests there are")
    parser.add_argument(
        "--sessions", type=int, default=1, metavar="N",
        help="measure so often, each time in fresh processes (default: 1)",
    )  # fmt: skip
    parser.add_argument(
        "--env", action="append", default=[], metavar="NAME=VALUE",
        help="an environment variable of the measuring processes",
    )  # fmt: skip
    parser.add_argument("--tag", action="append", default=[], help="a label of every record")
    parser.add_argument(
        "--check-only", action="store_true", help="compare outputs, and time nothing"
    )
    add_saving(parser)
    add_options(
        parser,
        ["framework", "budget", "precision", "threads", "process", "cores", "timeout",
         "memory_limit", "seed", "runs_dir", "store"],
    )  # fmt: skip
    add_oversubscribe(parser)
    add_format(parser, Run)
    add_output_format(parser)
    parser.add_argument("--output-file", metavar="FILE", help="write all results there as well")
    parser.add_argument("--force", action="store_true", help="replace an existing --output-file")
    parser.add_argument("--quiet", action="store_true", help="no progress and no lines on stderr")
    parser.add_argument("--exit-zero", action="store_true", help="exit 0 whatever the tests give")
    add_reporter_options(parser)


class SideRecord(Struct, frozen=True, kw_only=True):
    """A build that is measured, or that it is compared with; further fields are free."""

    commit: str = ""
    commit_time: float | None = None


class InfoRecord(Struct, frozen=True, kw_only=True):
    """What --info says; further fields are free."""

    treatment: SideRecord = SideRecord()
    control: SideRecord = SideRecord()
    meta: SpecMetaRecord = SpecMetaRecord()


@dataclass(frozen=True, kw_only=True)
class SpecWords:
    """What flags say in JSON.

    Args:
        info: as it was given.
        treatment: what is measured.
        control: what it is compared with.
        meta: shared by all tests, where no file says otherwise.
        regressed: the regressed types.
        variables: of placeholders.

    """

    info: dict[str, Any]
    treatment: SideRecord
    control: SideRecord
    meta: dict[str, Any]
    regressed: tuple[str, ...]
    variables: dict[str, str]


def words_of(arguments: Namespace) -> SpecWords:
    """Return what flags say in JSON.

    Raises:
        UsageError: one of them is no JSON, or not what it must be.
    """
    info = checked_json(arguments.info, "--info")
    record = strict_part(info, InfoRecord, Place("--info"))
    return SpecWords(
        info=info,
        treatment=record.treatment,
        control=record.control,
        meta=info.get("meta", {}),
        regressed=regressed_types(arguments.regressed_types),
        variables=string_map(arguments.string_map),
    )


def regressed_types(text: str) -> tuple[str, ...]:
    """Return the texts of a JSON list."""
    found = parse_json(text, "--regressed_types")
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise UsageError(f"--regressed_types {quote(text)}: must be a JSON list of texts")
    return tuple(found)


def string_map(text: str) -> dict[str, str]:
    """Return the texts of a JSON object."""
    found = checked_json(text, "--string_map")
    if not all(isinstance(each, (str, int, float)) for each in found.values()):
        raise UsageError(f"--string_map {quote(text)}: must be a JSON object of texts and numbers")
    return {name: str(value) for name, value in found.items()}

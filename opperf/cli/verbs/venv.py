"""Make, lock, list or remove virtual environments, by themselves or for the arms of `opperf ab`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say, teller
from opperf.cli.common.options import add_format, refuse_half_characters
from opperf.cli.tasks.containers import add_image, print_image, wants_container
from opperf.comparing.arms.arm import PACKAGES, environment_of
from opperf.comparing.arms.installer import Supply
from opperf.comparing.arms.link import check_link, set_link
from opperf.comparing.arms.lock import resolve_lock, with_lock
from opperf.comparing.arms.venv import (
    cache_folder,
    keys_in,
    provide_venv,
    remove,
    venvs,
    with_companions,
)
from opperf.core.errors import UsageError, quote_path, unknown
from opperf.reporting.printing import print_rows
from opperf.reporting.text import columns

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_arguments(parser: ArgumentParser) -> None:
    """Add the five things that can be done."""
    steps = parser.add_subparsers(dest="step", metavar="make|lock|list|show|rm", required=True)
    add_making(steps.add_parser("make", help="make one, and print the path of its python"))
    locking = steps.add_parser(
        "lock", help="print the wheels that an arm of these packages is made of, with their sha256"
    )
    locking.add_argument("package", nargs="+", metavar="PACKAGE", help=PACKAGES)
    locking.add_argument(
        "--python", metavar="PATH", help="the interpreter that they are for (default: this one)"
    )
    locking.add_argument(
        "--index-url", metavar="URL", help="where they come from (default: pip's own index)"
    )
    listing = steps.add_parser("list", help="print them")
    add_format(listing)
    showing = steps.add_parser("show", help="print what one holds, as a file of constraints")
    showing.add_argument("key", metavar="KEY", help="as `opperf venv list` shows it")
    removing = steps.add_parser("rm", help="remove them")
    removing.add_argument("key", nargs="*", metavar="KEY", help="as `opperf venv list` shows it")
    removing.add_argument("--all", action="store_true", help="all of them")


def add_making(parser: ArgumentParser) -> None:
    """Add what an environment is made of."""
    parser.add_argument("package", nargs="+", metavar="PACKAGE", help=PACKAGES)
    parser.add_argument(
        "--python", metavar="PATH", help="the interpreter it is made of (default: this one)"
    )
    parser.add_argument(
        "--path", metavar="LINK", help="put a link to it there, in place of an earlier one"
    )
    parser.add_argument(
        "--constraint", action="append", default=[], metavar="FILE",
        help="a file of the versions that packages must have, as `opperf venv show` prints it",
    )  # fmt: skip
    parser.add_argument(
        "--find-links", action="append", default=[], metavar="DIR", help="a folder of wheels"
    )
    parser.add_argument(
        "--offline", action="store_true",
        help="ask no index: all there is comes from --find-links and the packages named",
    )  # fmt: skip
    parser.add_argument(
        "--arm", action="store_true",
        help="add what `opperf ab` would, so that it finds the arm of these packages made",
    )  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    add_image(parser)


def execute(arguments: Namespace) -> int:
    """Do what was asked for."""
    return STEPS[arguments.step](arguments)


def make(arguments: Namespace) -> int:
    """Make an environment unless there is one, and print the path of its python."""
    refuse_half_characters(arguments.given)
    if wants_container(arguments):
        refuse_in_image(arguments)
        return print_image(arguments, arguments.package)
    spec = environment_of(arguments.package, arguments.python)
    supply = supply_of(arguments)
    folder = cache_folder()
    link = Path(arguments.path).absolute() if arguments.path else None
    if link is not None:
        check_link(link, folder)
    venv = provide_venv(
        with_companions(spec) if arguments.arm else spec,
        folder,
        teller(quiet=arguments.quiet),
        supply,
    )
    if link is not None:
        set_link(link, venv)
    print(link / "bin" / "python" if link else venv.python)
    return 0


def lock(arguments: Namespace) -> int:
    """Print the lock of an arm; nothing is installed."""
    refuse_half_characters(arguments.given)
    spec = with_companions(environment_of(arguments.package, arguments.python))
    sys.stdout.write(with_lock(spec, resolve_lock(spec, arguments.index_url)).lock or "")
    return 0


def refuse_in_image(arguments: Namespace) -> None:
    """Refuse what is of an environment here and of no image.

    Raises:
        UsageError: names it.
    """
    for flag in ("--python", "--path", "--constraint", "--find-links", "--offline", "--arm"):
        if getattr(arguments, flag[2:].replace("-", "_")):
            raise UsageError(f"{flag} is of an environment of this machine: not --print-command")


def supply_of(arguments: Namespace) -> Supply:
    """Return where packages come from.

    Raises:
        UsageError: a file or a folder is not there.
    """
    for path in map(Path, arguments.constraint):
        if not path.is_file():
            raise UsageError(f"--constraint {quote_path(path)}: there is no such file")
    for path in map(Path, arguments.find_links):
        if not path.is_dir():
            raise UsageError(f"--find-links {quote_path(path)}: there is no such directory")
    return Supply(
        offline=arguments.offline,
        folders=tuple(str(Path(path).absolute()) for path in arguments.find_links),
        constraints=tuple(str(Path(path).absolute()) for path in arguments.constraint),
    )


def print_list(arguments: Namespace) -> int:
    """Print all environments, complete or not."""
    folder = cache_folder()
    found = venvs(folder)
    rows = [
        {"key": venv.key, "requirements": " ".join(venv.requirements), "path": venv.path}
        for venv in found
    ]
    incomplete = sorted({*keys_in(folder)} - {venv.key for venv in found})
    rows += [
        {"key": key, "requirements": "incomplete", "path": str(folder / key)} for key in incomplete
    ]
    print_rows(rows, arguments.format, sys.stdout, width=columns(sys.stdout, 160))
    if not rows:
        say(
            f"no environments in {folder}: `opperf venv make` makes one, and `opperf ab` for an arm"
        )
    return 0


def show(arguments: Namespace) -> int:
    """Print the packages of an environment with their versions."""
    kept = {venv.key: venv for venv in venvs(cache_folder())}
    if arguments.key not in kept:
        raise UsageError(unknown("virtual environment", arguments.key, kept))
    print("\n".join(kept[arguments.key].packages))
    return 0


def remove_some(arguments: Namespace) -> int:
    """Remove the environments named, or all."""
    folder = cache_folder()
    keys = keys_in(folder) if arguments.all else arguments.key
    for key in remove(folder, keys):
        say(f"removed {key}")
    if not keys:
        advice = "" if arguments.all else ": name one of `opperf venv list`, or give --all"
        say(f"nothing to remove{advice}")
    return 0


STEPS = {"make": make, "lock": lock, "list": print_list, "show": show, "rm": remove_some}
"""What each step does."""

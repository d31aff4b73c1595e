"""Locks of arms: which wheels their environments are made of, by a file or for a fleet's hosts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from opperf.cli.common.messages import say, teller
from opperf.comparing.arms.arm import ArmSpec
from opperf.comparing.arms.lock import (
    checked_index,
    describe_lock,
    python_of,
    python_tag,
    read_lock,
    resolve_lock,
    with_lock,
)
from opperf.comparing.arms.venv import with_companions
from opperf.core.errors import UsageError, quote, unknown

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping, Sequence

Spec = TypeVar("Spec", bound=ArmSpec)


def add_locks(parser: ArgumentParser) -> None:
    """Add what says which wheels an arm is made of."""
    parser.add_argument(
        "--lock", action="append", default=[], metavar="ARM=FILE",
        help="make an arm's environment of exactly the wheels of a file, as opperf venv lock "
        "prints it: a=old.lock",
    )  # fmt: skip
    parser.add_argument(
        "--index-url", metavar="URL",
        help="with --fleet: the index that arms' wheels come from, here and on the hosts "
        "(default: pip's own of each)",
    )  # fmt: skip


def lock_arms(arms: Mapping[str, Spec], arguments: Namespace) -> dict[str, Spec]:
    """Return the arms with the locks that `--lock` names.

    Raises:
        UsageError: a lock is of no arm, of another Python than the one that installs it, or does
            not have what its arm asks for; or `--index-url` is none that hosts can be told.
    """
    if arguments.index_url is not None:
        checked_index(arguments.index_url)
        if not arguments.fleet:
            raise UsageError(
                "--index-url: is for hosts of a fleet; give --fleet URL, or set PIP_INDEX_URL"
            )
    files = lock_files(arms, arguments.lock) if arms else {}
    locked = {name: with_lock(arms[name], read_lock(path)) for name, path in files.items()}
    for name, arm in locked.items():
        wanted = python_of(arm.lock or "")
        if not arguments.fleet and wanted not in {None, python_tag()}:
            raise UsageError(
                f"--lock {name}: is for {wanted}, and this is {python_tag()}; print one here by "
                "opperf venv lock"
            )
    return {name: locked.get(name, arm) for name, arm in arms.items()}


def lock_files(arms: Mapping[str, ArmSpec], words: Sequence[str]) -> dict[str, Path]:
    """Return the files of locks by the arms that they are of.

    Raises:
        UsageError: one is of no arm, or an arm has two.
    """
    files: dict[str, Path] = {}
    for word in words:
        name, equals, path = word.partition("=")
        if not equals or not path:
            raise UsageError(f"--lock {quote(word)}: must be ARM=FILE, as a=old.lock")
        if name not in arms:
            raise UsageError(f"--lock {quote(word)}: {unknown('arm', name, arms)}")
        if name in files:
            raise UsageError(f"--lock {name}: is given twice; an arm has one lock")
        files[name] = Path(path)
    return files


def locked_for_hosts(arms: Mapping[str, ArmSpec], arguments: Namespace) -> dict[str, ArmSpec]:
    """Return the arms that install something, each with its lock, resolved here where it has none.

    Raises:
        UsageError: one cannot be resolved.
    """
    tell = teller(quiet=arguments.quiet)
    locked = {}
    for name, arm in arms.items():
        if not arm.requirements:
            continue
        if arm.lock is None:
            tell(f"resolving arm {name}, {arm.text}")
            whole = with_companions(arm)
            locked[name] = with_lock(whole, resolve_lock(whole, arguments.index_url))
        else:
            locked[name] = arm
        if not arguments.quiet:
            say(describe_lock(name, locked[name]))
    return locked

"""The flags of `opperf follow`: those of `repo_driver.py`, and what `opperf ab` is told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.commits.bisect_request import OPTIONS, refuse_unknown
from opperf.cli.commits.follow_spec import add_specification, refuse_devices, specification_words
from opperf.cli.commits.follow_words import arguments_of
from opperf.cli.common.messages import say
from opperf.cli.common.options import (
    add_filter,
    add_inputs,
    add_options,
    configuration_of,
    parse_inputs,
    refuse_too_many,
    threads_of,
)
from opperf.cli.methods.surroundings import flag_adder
from opperf.cli.pairs.rules import rules_of
from opperf.commits.following.queue import Start
from opperf.core.errors import UsageError, quote, quote_path
from opperf.core.filters.language import parse
from opperf.core.frameworks.registry import framework_names
from opperf.core.units import parse_seconds
from opperf.legacy.spellings import device_name
from opperf.planning.selection import Selection
from opperf.specs.platforms.registry import find_platform

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from opperf.commits.repository.git_repository import GitRepository

VALUES = ("sessions", "most_sessions", "budget", "min_effect", "metric")
SWITCHES = ("quick", "oversubscribe")
HERE = "cpu"
"""The platform where nobody names one."""
LONGEST_HASH = 256


def add_repository(parser: ArgumentParser) -> None:
    """Add what is followed, how it is built, and when it ends."""
    parser.add_argument("repository", nargs="?", metavar="REPO", help="a git repository's folder")
    add = flag_adder(parser)
    add("repo-dir", metavar="DIR", help="the same as REPO, as repo_driver.py spells it")
    parser.add_argument("--repo", metavar="KIND", default="git", help="its kind: git")
    add("remote-repository", metavar="NAME", help="the remote (default: origin, if there is one)")
    parser.add_argument("--branch", help="the branch (default: master, else that of HEAD)")
    parser.add_argument(
        "--commit", metavar="COMMIT",
        help="this commit alone; with --interval or --regression the one to begin with "
        "(default: the control of the newest)",
    )  # fmt: skip
    add(
        "commit-file", metavar="FILE",
        help="keep the last commit that was finished there, and begin after it",
    )  # fmt: skip
    add(
        "base-commit", metavar="COMMIT",
        help="the control; the first commit of the week (UTC) where that is later",
    )  # fmt: skip
    add("all-commits", action="store_true", help="follow what was merged, too, commit by commit")
    parser.add_argument(
        "--interval", metavar="SECONDS", help="go on for ever, a round each so many seconds"
    )
    add("status-file", metavar="FILE", help="end after the commit in hand once it holds 0")
    parser.add_argument(
        "--regression", action="store_true", help="follow all commits from --commit on"
    )
    add(
        "exec-dir", metavar="DIR",
        help="where builds and what was done are kept (default: in the user's cache and state)",
    )  # fmt: skip
    add(
        "frameworks-dir", metavar="DIR",
        help="build by DIR/FRAMEWORK/PLATFORM/build.sh instead of with pip",
    )  # fmt: skip
    parser.add_argument("--platforms", metavar="A,B", help=f"where to measure (default: {HERE})")
    add(
        "same-host", action="store_true",
        help="build nothing while anything is measured on this machine",
    )  # fmt: skip
    add("retry-failed", action="store_true", help="try builds that failed once more")


def add_measuring(parser: ArgumentParser) -> None:
    """Add what is measured of each commit, as `opperf ab` has it."""
    add_filter(parser)
    add_options(parser, OPTIONS)
    add_inputs(parser)
    add_specification(parser)
    parser.add_argument("--sessions", metavar="N", help="as of `opperf ab`")
    parser.add_argument("--most-sessions", metavar="N", help="as of `opperf ab`")
    parser.add_argument("--quick", action="store_true", help="as of `opperf ab`")
    parser.add_argument("--budget", metavar="TIME", help="as of `opperf ab`, for each commit")
    parser.add_argument("--min-effect", metavar="SHARE", help="as of `opperf ab`")
    parser.add_argument("--metric", metavar="NAME", help="as of `opperf ab`")
    parser.add_argument("--oversubscribe", action="store_true", help="as of `opperf ab`")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")


def measuring_words(arguments: Namespace) -> list[str]:
    """Return what `opperf ab` is told: the flags that are given, and no others.

    Raises:
        UsageError: one of them is wrong, the filter is none, or the specification is wrong.
    """
    parse(arguments.filter)
    words = specification_words(arguments)
    words += ["-k", arguments.filter] if arguments.filter else []
    for name in (*OPTIONS, *VALUES):
        value = getattr(arguments, name)
        if value is not None and not (name == "framework" and is_folder_only(arguments)):
            words += [f"--{name.replace('_', '-')}", str(value)]
    for text in arguments.input:
        words += ["--input", text]
    words += [f"--{name}" for name in SWITCHES if getattr(arguments, name)]
    refuse_wrong(words)
    return words


def refuse_wrong(words: Sequence[str]) -> None:
    """Refuse what `opperf ab` would refuse once commits are built; what they bring is theirs.

    Raises:
        UsageError: says what is wrong.
    """
    asked = arguments_of(words)
    rules_of(asked, asked.metric)
    configuration = configuration_of(asked)
    dtype, sizes = (configuration[name].value for name in ("dtype", "size"))
    # Which frameworks there are is the commits' own affair.
    refuse_unknown(Selection(frameworks=(), dtype=dtype, sizes=sizes))
    parse_inputs(asked.input)
    if not asked.oversubscribe:
        refuse_too_many(threads_of(configuration))
    if asked.time:
        parse_seconds(asked.time)


def is_folder_only(arguments: Namespace) -> bool:
    """Return whether --framework names scripts that build, and nothing that opperf measures."""
    return bool(arguments.frameworks_dir) and arguments.framework not in framework_names()


def device_words(platform: str) -> list[str]:
    """Return what has a platform measured: by the device of its name, if it is one."""
    try:
        return ["--device", device_name(platform)]
    except UsageError:
        return []


def platforms_of(arguments: Namespace) -> list[str]:
    """Return the platforms that are asked for.

    Raises:
        UsageError: one has no name, or one that is no folder's.
    """
    names = (arguments.platforms or arguments.device or HERE).split(",")
    for name in names:
        if not name.strip() or Path(name).name != name or name.startswith("."):
            raise UsageError(f"--platforms: {quote(name)} is no name of a platform, such as cpu")
    if arguments.platforms and arguments.device:
        raise UsageError("--device and --platforms say the same: give one")
    found = list(dict.fromkeys(name.strip() for name in names))
    for name in found:
        refuse_elsewhere(name)
    refuse_devices(arguments, [(device_words(name) or [HERE])[-1] for name in found])
    return found


def refuse_elsewhere(name: str) -> None:
    """Refuse a platform whose devices run a program, and no framework.

    Raises:
        UsageError: it is one of those; any other name is that of a folder with scripts that build.
    """
    try:
        platform = find_platform(name)
    except UsageError:
        return
    if not platform.host:
        raise UsageError(
            f"--platforms {name}: a comparison runs frameworks on this machine; measure one build "
            f"there by `opperf spec --platform {name}`"
        )


def seconds_of(text: str | None) -> float | None:
    """Return the seconds between two rounds, None where there is one round only.

    Raises:
        UsageError: they are no time above 0.
    """
    try:
        return None if text is None else parse_seconds(text)
    except UsageError as error:
        raise UsageError(f"--interval: {error}") from None


def is_only(arguments: Namespace) -> bool:
    """Return whether one commit is all that is asked for."""
    goes_on = arguments.interval or arguments.regression or arguments.commit_file
    return bool(arguments.commit) and not goes_on


def start_of(arguments: Namespace, repository: GitRepository) -> Start | None:
    """Return where the queue begins: after the commit file's, else with --commit.

    Raises:
        UsageError: there is no such commit.
    """
    if arguments.commit_file and (found := hash_in(Path(arguments.commit_file))):
        try:
            return Start(repository.commit(found), included=False)
        except UsageError as error:
            say(f"--commit_file {quote_path(arguments.commit_file)}: {error}; it is left out")
    if arguments.commit:
        return Start(repository.commit(arguments.commit), included=True)
    return None


def hash_in(path: Path) -> str | None:
    """Return the hash that a file holds, None where there is no such file yet.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(LONGEST_HASH).strip() or None
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise UsageError(
                f"--commit_file {quote_path(path)}: its folder is not there; make it"
            ) from None
        return None
    except OSError as error:
        raise UsageError(f"--commit_file {quote_path(path)}: {error.strerror}") from None

"""What the command line of `opperf bisect` asks for: of what, what is measured, what is sought."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.json import decode, encode

from opperf.cli.common.options import (
    command_line,
    configuration_of,
    limits_of,
    refuse_too_many,
    threads_of,
)
from opperf.cli.pairs.flags import parse_share
from opperf.cli.pairs.selection import selection_of
from opperf.commits.bisection.asking import ask_commits, ask_versions
from opperf.commits.bisection.environments import COMMITS, VERSIONS
from opperf.commits.bisection.search import Quest
from opperf.commits.bisection.state import SCHEMA, BisectionRequest, request_in
from opperf.commits.building.frameworks import refuse_unknown_frameworks
from opperf.commits.repository.git_repository import GitRepository
from opperf.comparing.arms.arm import parse_arm
from opperf.comparing.signed_rank import FIRST
from opperf.core.errors import UsageError, quote_path, unknown
from opperf.core.tensors.tensor import DTYPES
from opperf.planning.plan import make_plan
from opperf.planning.selection import nothing_matches, sizes_of

if TYPE_CHECKING:
    from argparse import Namespace

    from opperf.planning.selection import Selection

OPTIONS = (
    "framework", "device", "dtype", "size", "timeout", "compile_timeout", "memory_limit", "threads",
    "seed",
)  # fmt: skip
"""Of the configuration, those that `opperf bisect` and `opperf follow` take."""
COMPARED = {
    "candidates": "other commits", "selection": "something else", "quest": "another change",
    "script": "commits that are built in another way",
}  # fmt: skip
"""What of a request says which bisection it is, and how an error names another one."""
MAY_DIFFER = ("memory_limit", "most")
"""The memory that is free at the moment, and how many sessions there may be."""
LEAST_SURE, MOST_SURE = 0.5, 0.9999


def refuse_beside_resume(arguments: Namespace) -> None:
    """Refuse to go on with something else than what was begun."""
    given = {
        "GOOD": arguments.good, "--versions": arguments.versions, "-k": arguments.filter,
        "--input": arguments.input, "--build-script": arguments.build_script,
    }  # fmt: skip
    given |= {f"--{name}": getattr(arguments, name) for name in OPTIONS}
    if both := [name for name, value in given.items() if value]:
        raise UsageError(f"{both[0]} does not go with --resume: a bisection goes on as it began")


def refuse_another(folder: Path, request: BisectionRequest) -> None:
    """Refuse to judge a commit by the sessions of another bisection.

    Raises:
        UsageError: the one in the folder is of other commits, or measures or seeks something else.
    """
    begun = request_in(folder)
    for name, words in COMPARED.items():
        if comparable(getattr(begun, name)) != comparable(getattr(request, name)):
            raise UsageError(
                f"{quote_path(folder)} holds a bisection of {words}: give another --state"
            )


def comparable(part: object) -> object:
    """Return a part of a request as JSON has it, without what may differ from step to step."""
    found = decode(encode(part))
    if isinstance(found, dict):
        return {name: value for name, value in found.items() if name not in MAY_DIFFER}
    return found


def refuse_unknown(selection: Selection) -> None:
    """Refuse a size or an element type that no operator has, before anything is built for it.

    Raises:
        UsageError: names those that there are.
    """
    sizes_of(selection)
    if selection.dtype not in DTYPES:
        raise UsageError(unknown("dtype", selection.dtype, DTYPES))


def request_by(arguments: Namespace) -> BisectionRequest:
    """Return what the command line asks for.

    Raises:
        UsageError: it cannot be; says why.
    """
    if arguments.good is None or arguments.bad is None:
        raise UsageError("give GOOD and BAD: two commits, or with --versions two versions")
    configuration = configuration_of(arguments)
    if not arguments.oversubscribe:
        refuse_too_many(threads_of(configuration))
    if not LEAST_SURE <= arguments.confidence <= MOST_SURE:
        raise UsageError(
            f"--confidence {arguments.confidence:g}: must be from {LEAST_SURE} to {MOST_SURE}"
        )
    if arguments.most_sessions is not None and arguments.most_sessions < FIRST:
        raise UsageError(f"--most-sessions {arguments.most_sessions}: must be {FIRST} or more")
    script = arguments.build_script
    if script is not None and not Path(script).is_file():
        raise UsageError(f"--build-script {quote_path(script)}: there is no such file")
    arms = {}
    if arguments.versions:
        kind = VERSIONS
        source, candidates = ask_versions(
            sys.executable, arguments.versions, arguments.good, arguments.bad
        )
        arms = {name: parse_arm(f"{source}=={candidates[0].name}") for name in "ab"}
    else:
        kind = COMMITS
        source, candidates = ask_commits(
            Path(arguments.repo), arguments.good, arguments.bad, every=arguments.every
        )
        refuse_unknown_frameworks(
            configuration["framework"].value or (),
            GitRepository.open(Path(source)),
            [candidates[0].name, candidates[-1].name],
            [Path(script)] if script else (),
        )
    selection = selection_of(arguments, configuration, arms or dict.fromkeys("ab", parse_arm(".")))
    refuse_unknown(selection)
    if arguments.versions and not make_plan(selection, here=False):
        raise UsageError(nothing_matches(selection))
    memory = selection.memory_limit
    quest = Quest(
        direction=arguments.direction,
        confidence=arguments.confidence,
        min_effect=parse_share(arguments.min_effect),
        most=arguments.most_sessions,
    )
    return BisectionRequest(
        schema=SCHEMA,
        kind=kind,
        source=source,
        candidates=candidates,
        selection=asdict(selection),
        limits=asdict(limits_of(configuration, memory // 2 if memory else None)),
        quest=asdict(quest),
        script=str(Path(script).absolute()) if script else None,
        command=command_line("bisect", arguments.given),
    )

"""Find the commit, or the released version, that made operators slower: a noisy bisection."""

from __future__ import annotations

import json
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.cli.commits.bisect_request import (
    OPTIONS,
    refuse_another,
    refuse_beside_resume,
    request_by,
)
from opperf.cli.common.exit_codes import EMPTY, FINE, INCONCLUSIVE
from opperf.cli.common.messages import say, teller
from opperf.cli.common.options import (
    add_filter,
    add_inputs,
    add_options,
    add_oversubscribe,
    refuse_half_characters,
)
from opperf.cli.pairs.compete import PREFIX, remove_leftovers
from opperf.cli.pairs.flags import add_effect, add_wait
from opperf.cli.running.interrupt import terminable
from opperf.commits.bisection.answer import NAMED, RANGE, SAME, answer_of
from opperf.commits.bisection.environments import environments_of
from opperf.commits.bisection.hunt import Hunt
from opperf.commits.bisection.judging import next_of, verdict_on
from opperf.commits.bisection.measurement import SessionProcess
from opperf.commits.bisection.search import CONFIDENCE, DIRECTIONS
from opperf.commits.bisection.state import begin, holding_state, is_begun
from opperf.commits.bisection.wording import answer_fields, answer_lines
from opperf.commits.repository.git_repository import GitRepository
from opperf.comparing.verdict import MIN_EFFECT
from opperf.core.disk import write_whole
from opperf.core.errors import OpperfError, UsageError
from opperf.core.machine.lock import measuring_alone
from opperf.core.units import parse_seconds

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

EXIT = {NAMED: FINE, SAME: EMPTY, RANGE: INCONCLUSIVE}
GOOD, BAD, SKIP, ABORT = 0, 1, 125, 128
"""What `git bisect run` is told; above 127 it stops."""
FOLDER = "opperf_bisection"
ANSWER = "answer.json"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    parser.add_argument("good", nargs="?", metavar="GOOD", help="a commit, or version, before it")
    parser.add_argument("bad", nargs="?", metavar="BAD", help="a commit, or version, after it")
    parser.add_argument(
        "--repo", default=".", metavar="DIR",
        help="the git repository of the commits (default: this directory's)",
    )  # fmt: skip
    parser.add_argument(
        "--versions", metavar="PROJECT", help="bisect the released versions of a project instead"
    )
    parser.add_argument(
        "--every",
        action="store_true",
        help="take the commits of merged branches one by one, too",
    )
    parser.add_argument(
        "--build-script", metavar="FILE", help="build each commit by this script (default: pip)"
    )
    add_filter(parser)
    add_options(parser, OPTIONS)
    add_inputs(parser)
    parser.add_argument(
        "--direction", default="slower", choices=[*DIRECTIONS],
        help="which change is sought (default: slower): %(choices)s",
    )  # fmt: skip
    parser.add_argument(
        "--confidence", type=float, default=CONFIDENCE, metavar="P",
        help=f"the probability at which a commit is named (default: {CONFIDENCE})",
    )  # fmt: skip
    add_effect(parser, MIN_EFFECT)
    parser.add_argument(
        "--most-sessions", type=int, metavar="N",
        help="the most sessions (default: 12 for each halving and for both ends)",
    )  # fmt: skip
    parser.add_argument("--budget", metavar="TIME", help="begin no session after so long, as 10m")
    parser.add_argument(
        "--state", default=FOLDER, metavar="DIR",
        help=f"where the bisection is kept, so that it can be resumed (default: {FOLDER})",
    )  # fmt: skip
    parser.add_argument("--resume", action="store_true", help="go on with the one in --state")
    parser.add_argument(
        "--step", action="store_true",
        help="judge the commit checked out, for `git bisect run`: 0 good, 1 bad, 125 skip",
    )  # fmt: skip
    parser.add_argument("--format", choices=["text", "json"], default="text", help="%(choices)s")
    add_wait(parser)
    add_oversubscribe(parser)
    parser.add_argument("--quiet", action="store_true", help="say no steps on stderr")


def execute(arguments: Namespace) -> int:
    """Bisect, and say which commit it was; or judge one commit for git."""
    refuse_half_characters(arguments.given)
    if not arguments.step:
        with measuring_alone(wait=arguments.wait):
            return bisect(arguments)
    try:
        with measuring_alone(wait=arguments.wait):
            return step(arguments)
    except OpperfError as error:
        # 1 to 127 would tell git that the commit is bad, or to skip it.
        say(str(error))
        return ABORT


def bisect(arguments: Namespace) -> int:
    """Begin a bisection or go on with one; return the exit code."""
    folder = Path(arguments.state)
    if arguments.resume:
        refuse_beside_resume(arguments)
    else:
        begin(folder, request_by(arguments))
    with hunting(folder, arguments) as hunt:
        out_of_time = hunt.run(hunt.search.next)
        answer = answer_of(hunt.search, out_of_time=out_of_time)
    request = hunt.state.request
    fields = json.dumps(answer_fields(answer, hunt.search, request), indent=2)
    write_whole(folder / ANSWER, fields.encode() + b"\n")
    lines = answer_lines(answer, hunt.search, request)
    print(fields if arguments.format == "json" else "\n".join(lines))
    return EXIT.get(answer.kind, INCONCLUSIVE)


def step(arguments: Namespace) -> int:
    """Judge the commit that is checked out; return the exit code for `git bisect run`."""
    folder = Path(arguments.state)
    if arguments.versions or arguments.resume:
        raise UsageError("--step goes with a repository's commits: give GOOD, BAD and -k FILTER")
    arguments.every = True
    request = request_by(arguments)
    if is_begun(folder):
        refuse_another(folder, request)
    else:
        begin(folder, request)
    head = GitRepository.open(Path(arguments.repo)).commit("HEAD")
    with hunting(folder, arguments) as hunt:
        names = [candidate.name for candidate in hunt.candidates]
        if head.hash not in names:
            raise UsageError(f"commit {head} is not between {names[0][:12]} and {names[-1][:12]}")
        at = names.index(head.hash)
        hunt.run(partial(next_of, hunt.search, at))
        if not hunt.search.differ():
            raise UsageError("GOOD and BAD do not differ in what is sought: there is no bad commit")
        is_bad = verdict_on(hunt.search, at)
    words = {None: "cannot be told: skip it", True: "bad", False: "good"}
    print(f"{head}: {words[is_bad]}")
    return {None: SKIP, True: BAD, False: GOOD}[is_bad]


@contextmanager
def hunting(folder: Path, arguments: Namespace) -> Iterator[Hunt]:
    """Give the bisection in a folder, ready to go on."""
    remove_leftovers()
    with (
        holding_state(folder) as state,
        terminable(),
        tempfile.TemporaryDirectory(prefix=PREFIX) as room,
        ExitStack() as stack,
    ):
        request, tell = state.request, teller(quiet=arguments.quiet)
        environments = environments_of(request, tell)
        process = SessionProcess(
            selection=request.selection, limits=request.limits, folder=Path(room),
            planner=None if environments.declares_operators else sys.executable,
            plans={key: plan for entry in state.entries for key, plan in entry.plans.items()},
        )  # fmt: skip
        stack.callback(process.close)
        yield Hunt(
            state=state, environments=environments, measure=process.measure, tell=tell,
            seconds=parse_seconds(arguments.budget) if arguments.budget else None,
            most=arguments.most_sessions,
        )  # fmt: skip

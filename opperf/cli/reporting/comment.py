"""`opperf report --comment`: the report as a comment on the change that a CI job is of."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from opperf.reporting.comparison import ComparisonReport
    from opperf.reporting.subjects import Run

TOKEN = "OPPERF_COMMENT_TOKEN"  # noqa: S105 - the variable's name


def add_comment(parser: ArgumentParser) -> None:
    """Add the flag."""
    parser.add_argument(
        "--comment", metavar="NAME",
        help="in a job of GitHub Actions or GitLab CI: comment on the pull or merge request, in "
        f"place of the last comment of this NAME; the token is in {TOKEN}",
    )  # fmt: skip


def check_comment(arguments: Namespace) -> None:
    """Refuse a comment that cannot be, before anything is read.

    Raises:
        UsageError: its name is none, or it would be of a history.
    """
    from opperf.reporting.comments.text import marker_of

    if arguments.comment is None:
        return
    if arguments.since:
        raise UsageError("--comment: a history is no comment; leave it out, or --since")
    marker_of(arguments.comment)


def post_comment(name: str, subject: Run | ComparisonReport) -> None:
    """Comment on the change of this job; say in a line where there is none, or no permission.

    Raises:
        UsageError: it is no job of a known server, or the token is none.
        UncommentedError: the server has not taken the comment.
    """
    from opperf.reporting.comments.posting import ForbiddenError, Poster
    from opperf.reporting.comments.text import comment_of, marker_of
    from opperf.reporting.comments.thread import thread_of
    from opperf.specs.reporters.token import checked

    thread = thread_of(os.environ)
    if thread is None:
        say("no comment: this job is of no pull request or merge request")
        return
    given = os.environ.get(TOKEN, "").strip()
    if not given:
        say(f"no comment on {thread.title}: {TOKEN} is empty, as secrets are for forks")
        return
    marker = marker_of(name)
    poster = Poster(thread, checked(given, TOKEN), marker)
    try:
        replaced = poster.post(comment_of(subject, marker, thread))
    except ForbiddenError as error:
        say(f"no comment on {thread.title}: {error}; the token needs {thread.permission}")
        return
    say(f"{'replaced the' if replaced else 'added a'} comment on {thread.title}")

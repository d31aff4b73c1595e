"""Where the comments of a pull request or a merge request are, in its server's words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote
from opperf.fetching.address import HTTP, HTTPS, LOCAL_HOSTS, parse_address
from opperf.storing.document import parse

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST_EVENT = 64 * 2**20
"""Bytes of the file that says what has started a job."""
REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
NUMBER = re.compile(r"[1-9][0-9]{0,17}")
COMMIT = re.compile(r"[0-9a-f]{7,64}")
LINK = re.compile(r"https?://[\w.:/%?=&~+-]+", re.ASCII)
GITHUB_API = "https://api.github.com"


@dataclass(frozen=True, kw_only=True)
class Thread:
    """The comments on a change, and how its server lists, adds and replaces them.

    Args:
        title: the change, as messages call it.
        api: the URL that all paths are below.
        path: lists the comments, and takes a new one.
        comment: the path of one comment, without its id.
        method: how a comment is replaced.
        author: the keys of a comment's author and of the author's name.
        permission: what a token must be allowed to do.
        commit: what was measured, "" where it is not known.
        job: the page of the job, "" where it is not known.

    """

    title: str
    api: str
    path: str
    comment: str
    method: str
    author: tuple[str, str]
    permission: str
    commit: str = ""
    job: str = ""


def thread_of(variables: Mapping[str, str]) -> Thread | None:
    """Return the thread of the job that has these variables, None where it is of no change.

    Raises:
        UsageError: they are of no job, or damaged.
    """
    if variables.get("GITHUB_ACTIONS") == "true":
        return github_thread(variables)
    if variables.get("GITLAB_CI") == "true":
        return gitlab_thread(variables)
    raise UsageError(
        "--comment: neither GITHUB_ACTIONS nor GITLAB_CI is true; it is for jobs of these two"
    )


def github_thread(variables: Mapping[str, str]) -> Thread | None:
    """Return the thread of the pull request that has started a job of GitHub Actions."""
    change = event_of(variables).get("pull_request")
    if not isinstance(change, dict):
        return None
    repository = require_value(variables, "GITHUB_REPOSITORY", REPOSITORY, "OWNER/NAME")
    number = str(change.get("number"))
    if not NUMBER.fullmatch(number):
        raise UsageError(f"GITHUB_EVENT_PATH: {quote(number)} is no number of a pull request")
    head = change.get("head")
    issues = f"/repos/{repository}/issues"
    server, run = variables.get("GITHUB_SERVER_URL", ""), variables.get("GITHUB_RUN_ID", "")
    return Thread(
        title=f"pull request {number} of {repository}",
        api=api_of(variables, "GITHUB_API_URL", GITHUB_API),
        path=f"{issues}/{number}/comments",
        comment=f"{issues}/comments",
        method="PATCH",
        author=("user", "login"),
        permission="the permission `pull-requests: write`, which a fork's pull request never has",
        commit=matching(COMMIT, head.get("sha") if isinstance(head, dict) else ""),
        job=matching(LINK, f"{server}/{repository}/actions/runs/{run}"),
    )


def gitlab_thread(variables: Mapping[str, str]) -> Thread | None:
    """Return the thread of the merge request that a pipeline of GitLab is of."""
    if not variables.get("CI_MERGE_REQUEST_IID"):
        return None
    number = require_value(variables, "CI_MERGE_REQUEST_IID", NUMBER, "a number")
    project = require_value(variables, "CI_MERGE_REQUEST_PROJECT_ID", NUMBER, "a number")
    notes = f"/projects/{project}/merge_requests/{number}/notes"
    return Thread(
        title=f"merge request {number}",
        api=api_of(variables, "CI_API_V4_URL"),
        path=notes,
        comment=notes,
        method="PUT",
        author=("author", "username"),
        permission="the scope `api` in the project that is merged into",
        commit=matching(COMMIT, variables.get("CI_COMMIT_SHA")),
        job=matching(LINK, variables.get("CI_JOB_URL")),
    )


def event_of(variables: Mapping[str, str]) -> Mapping[str, Any]:
    """Return what has started a job of GitHub Actions.

    Raises:
        UsageError: the file cannot be read, or is no JSON object.
    """
    path = Path(variables.get("GITHUB_EVENT_PATH", ""))
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_EVENT)
        event = parse(data)
    except OSError as error:
        raise UsageError(f"GITHUB_EVENT_PATH: cannot read {path}: {error.strerror}") from None
    except UsageError as error:
        raise UsageError(f"GITHUB_EVENT_PATH {path}: {error}") from None
    if not isinstance(event, dict):
        raise UsageError(f"GITHUB_EVENT_PATH {path}: must be a JSON object")
    return event


def api_of(variables: Mapping[str, str], name: str, usual: str = "") -> str:
    """Return the URL of a server's API, which nobody on the way may read.

    Raises:
        UsageError: it is no URL, or unencrypted to another machine.
    """
    address = parse_address(variables.get(name) or usual, name, (HTTPS, HTTP))
    if address.scheme == HTTP and address.host not in LOCAL_HOSTS:
        raise UsageError(
            f"{name} {address}: by http:// anybody on the way reads the token; it must be https://"
        )
    return address.url.rstrip("/")


def require_value(
    variables: Mapping[str, str], name: str, form: re.Pattern[str], words: str
) -> str:
    """Return the value of a variable that has to be of this form.

    Raises:
        UsageError: it is not.
    """
    value = variables.get(name, "")
    if not form.fullmatch(value):
        raise UsageError(f"{name} {quote(value)}: must be {words}, as the server sets it")
    return value


def matching(form: re.Pattern[str], value: object) -> str:
    """Return a value that may stand in a comment as it is, "" where it may not."""
    return value if isinstance(value, str) and form.fullmatch(value) else ""

"""Which change a job is of: the variables of both servers, whole, absent and damaged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from opperf.core.errors import UsageError
from opperf.reporting.comments.thread import thread_of
from tests.reporting.comments.forge import Forge

if TYPE_CHECKING:
    from pathlib import Path

EVENT = {"pull_request": {"number": 7, "head": {"sha": "a" * 40}}}


def github(tmp_path: Path, event: object = EVENT, **changes: str) -> dict[str, str]:
    """Return the variables of a job that an event has started."""
    path = tmp_path / "event.json"
    path.write_text(event if isinstance(event, str) else json.dumps(event), encoding="utf-8")
    return {**Forge().of_github(str(path)), "GITHUB_API_URL": "", **changes}


def test_a_pull_request(tmp_path: Path) -> None:
    """By the names that GitHub Actions has for it."""
    thread = thread_of(github(tmp_path))
    assert thread is not None
    assert (thread.api, thread.path) == ("https://api.github.com", "/repos/o/r/issues/7/comments")
    assert thread.title == "pull request 7 of o/r"
    assert (thread.commit, thread.job) == ("a" * 40, "https://github.test/o/r/actions/runs/42")


def test_a_merge_request() -> None:
    """By the names that GitLab CI has for it."""
    thread = thread_of({**Forge().of_gitlab(), "CI_API_V4_URL": "https://gitlab.test/api/v4/"})
    assert thread is not None
    assert thread.api + thread.path == (
        "https://gitlab.test/api/v4/projects/5/merge_requests/7/notes"
    )
    assert (thread.commit, thread.job) == ("c" * 40, "https://gitlab.test/o/r/-/jobs/9")


@pytest.mark.parametrize("event", [{}, {"ref": "refs/heads/main"}, {"pull_request": None}])
def test_a_job_of_no_change(tmp_path: Path, event: object) -> None:
    """A push, or a schedule."""
    assert thread_of(github(tmp_path, event)) is None
    assert thread_of({"GITLAB_CI": "true"}) is None


@pytest.mark.parametrize(
    ("event", "changes", "words"),
    [
        (EVENT, {"GITHUB_EVENT_PATH": "/nowhere"}, "cannot read /nowhere: No such file"),
        (EVENT, {"GITHUB_EVENT_PATH": ""}, "GITHUB_EVENT_PATH: cannot read"),
        (EVENT, {"GITHUB_REPOSITORY": "o/../../x"}, "GITHUB_REPOSITORY 'o/../../x': must be"),
        (EVENT, {"GITHUB_API_URL": "http://example.org"}, "it must be https://"),
        (EVENT, {"GITHUB_API_URL": "file:///etc"}, "unknown scheme"),
        ("[]", {}, "must be a JSON object"),
        ('{"pull', {}, "GITHUB_EVENT_PATH"),
        ({"pull_request": {"number": "7/../8"}}, {}, "'7/../8' is no number"),
        ({"pull_request": {}}, {}, "'None' is no number"),
        (EVENT, {"GITHUB_ACTIONS": "false"}, "neither GITHUB_ACTIONS nor GITLAB_CI"),
    ],
)
def test_what_is_damaged(
    tmp_path: Path, event: object, changes: dict[str, str], words: str
) -> None:
    """One line says which variable it is."""
    with pytest.raises(UsageError, match=words) as info:
        thread_of(github(tmp_path, event, **changes))
    assert "\n" not in str(info.value)


@pytest.mark.parametrize("name", ["CI_MERGE_REQUEST_IID", "CI_MERGE_REQUEST_PROJECT_ID"])
@pytest.mark.parametrize("value", ["x", "../7", "0", "7\n"])
def test_what_is_damaged_on_gitlab(name: str, value: str) -> None:
    """Likewise."""
    with pytest.raises(UsageError, match=f"{name} .*must be a number"):
        thread_of({**Forge().of_gitlab(), name: value})


def test_hostile_commits_and_addresses_are_left_out(tmp_path: Path) -> None:
    """They would stand in the comment as they are."""
    event = {"pull_request": {"number": 7, "head": {"sha": "<b>"}}}
    thread = thread_of(github(tmp_path, event, GITHUB_RUN_ID="1) [x](http://y"))
    assert thread is not None
    assert (thread.commit, thread.job) == ("", "")

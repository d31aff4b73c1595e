"""One comment, replaced in place: by whom, after which faults, and where it is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from opperf.core.errors import UsageError
from opperf.reporting.comments.posting import ForbiddenError, Poster, UncommentedError
from opperf.reporting.comments.text import marker_of
from opperf.reporting.comments.thread import Thread, gitlab_thread
from opperf.specs.reporters import connection, retries
from opperf.specs.reporters.token import Secret
from tests.reporting.comments.forge import TOKEN, Forge, serving

if TYPE_CHECKING:
    from collections.abc import Iterator

MARKER = marker_of("opperf")
OLD, NEW = f"{MARKER}old", f"{MARKER}new"


@pytest.fixture
def forge(monkeypatch: pytest.MonkeyPatch) -> Iterator[Forge]:
    """Return a server; nobody waits between attempts."""
    monkeypatch.setattr(retries, "PAUSES", (0.0, 0.0))
    with serving() as running:
        yield running


def thread_at(forge: Forge) -> Thread:
    """Return a merge request's thread there."""
    thread = gitlab_thread(forge.of_gitlab())
    assert thread is not None
    return thread


def post(forge: Forge, text: str = NEW) -> bool:
    """Post a text."""
    return Poster(thread_at(forge), Secret(TOKEN), MARKER).post(text)


@pytest.mark.parametrize("app", [True, False])
def test_a_comment_is_added_once_and_replaced_from_then_on(forge: Forge, app: bool) -> None:
    """With a job's token and with a user's, however many comments stand before it."""
    forge.app = app
    for number in range(5):
        forge.add(f"comment {number}", "somebody", "User")
    assert [post(forge, OLD), post(forge), post(forge)] == [False, True, True]
    assert [each["body"] for each in forge.comments[5:]] == [NEW]
    assert len(forge.asked("POST")) == 1
    assert forge.tokens == {f"Bearer {TOKEN}"}


@pytest.mark.parametrize(
    ("body", "name", "kind"),
    [
        (OLD, "mallory", "User"),
        (f"> {OLD}", "job[bot]", "Bot"),
        (marker_of("other") + "old", "job[bot]", "Bot"),
        ("", "job[bot]", "Bot"),
    ],
)
def test_a_comment_of_others_stays(forge: Forge, body: str, name: str, kind: str) -> None:
    """Whoever copies the marker, quotes it or has another name keeps their comment."""
    theirs = forge.add(body, name, kind)
    assert post(forge) is False
    assert theirs["body"] == body
    assert forge.comments[1]["body"] == NEW


def test_a_user_does_not_replace_the_comment_of_a_bot(forge: Forge) -> None:
    """Nor of anybody else: the token's own name decides."""
    theirs = forge.add(OLD)
    forge.app = False
    assert post(forge) is False
    assert theirs["body"] == OLD


@pytest.mark.parametrize(
    "fault", ["500", "502", "429", "403 Retry-After 0", "403 X-RateLimit-Remaining 0", "lost"]
)
@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_what_fails_once_is_tried_again_and_adds_no_second_comment(
    forge: Forge, method: str, fault: str
) -> None:
    """Where the acknowledgment is lost, the comment is found when it is looked for anew."""
    if method == "PUT":
        forge.add(OLD)
    forge.faults[method] = [fault]
    post(forge)
    assert [each["body"] for each in forge.comments] == [NEW]


def test_a_comment_that_was_removed_meanwhile_is_added_anew(forge: Forge) -> None:
    """Between looking for it and replacing it."""
    forge.add(OLD)
    forge.faults["PUT"] = ["404"]
    post(forge)
    assert [each["body"] for each in forge.comments] == [NEW]


def test_a_token_without_permission(forge: Forge) -> None:
    """As that of a fork's pull request: it is asked once, and nobody insists."""
    forge.read_only = True
    with pytest.raises(ForbiddenError, match="403 Forbidden"):
        post(forge)
    assert len(forge.asked("POST")) == 1


@pytest.mark.parametrize(
    ("faults", "words"),
    [
        ({"GET": ["500"] * 3}, "it says 500 Internal Server Error$"),
        ({"GET": ["429 Retry-After 3600"]}, "asks us to wait 3600 s$"),
        ({"POST": ["422"]}, "it says 422"),
        ({"POST": ["302 Location http://example.org/"]}, "it says 302 Found$"),
        ({"POST": ["307 Location http://example.org/"]}, "redirects to another server"),
    ],
)
def test_a_server_that_does_not_take_it(
    forge: Forge, faults: dict[str, list[str]], words: str
) -> None:
    """One line says why, without what the server says itself, which knows the token."""
    forge.faults = faults
    with pytest.raises(
        UncommentedError, match=f"cannot comment on merge request 7: .*{words}"
    ) as info:
        post(forge)
    assert TOKEN not in str(info.value)


def test_a_token_that_nobody_knows(forge: Forge) -> None:
    """Has to be made anew, so that it is an error."""
    forge.faults["GET"] = ["401"]
    with pytest.raises(UsageError, match="401 Unauthorized; the token has expired"):
        post(forge)


def test_a_server_that_is_silent(forge: Forge, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is waited for no longer than is bearable."""
    monkeypatch.setattr(connection, "SILENCE", 0.2)
    forge.faults["GET"] = ["hang"] * 3
    with pytest.raises(UncommentedError, match=r"it is silent for 0\.2 s"):
        post(forge)
    assert forge.comments == []


def test_a_server_that_is_not_there(forge: Forge) -> None:
    """Port 9 is nobody's."""
    thread = replace(thread_at(forge), api="http://127.0.0.1:9")
    with pytest.raises(UncommentedError, match="Connection refused"):
        Poster(thread, Secret(TOKEN), MARKER).post(NEW)


@pytest.mark.parametrize("link", ["<http://example.org/x>; rel=next", "<http://[>; rel=next", "<"])
def test_a_next_page_of_another_server_is_not_asked(forge: Forge, link: str) -> None:
    """The token is for nobody else."""
    poster = Poster(thread_at(forge), Secret(TOKEN), MARKER)
    assert poster.next_page(forge.api, {"link": link}) is None
    assert poster.next_page(forge.api, {"link": "</a?page=2>; rel=next"}) == f"{forge.api}/a?page=2"


def test_pages_without_an_end(forge: Forge, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that always names a next page is asked for a bounded number."""
    monkeypatch.setattr(Poster, "next_page", lambda _self, url, _headers: url)
    monkeypatch.setattr("opperf.reporting.comments.posting.MOST_PAGES", 5)
    assert post(forge) is False
    assert len(forge.asked("GET")) == 1 + 5

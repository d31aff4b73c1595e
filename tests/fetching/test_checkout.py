"""Repositories: what is asked for, how it is pinned, and that nobody's edits are lost."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from psutil import STATUS_ZOMBIE, NoSuchProcess, Process

from opperf.core.errors import UsageError
from opperf.fetching.checkout import check_out
from opperf.fetching.git import run_git
from opperf.fetching.repository import parse_repositories, parse_repository
from tests.fetching.conftest import git

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.fetching.conftest import Origin


@pytest.fixture
def fetched(tmp_path: Path) -> Callable[..., Any]:
    """Return what checks one text out, and says what it was told."""

    def run(text: str, *, cached: bool = False) -> list[str]:
        said: list[str] = []
        (checkout,) = check_out(
            [parse_repository(text)], tmp_path / "packages", said.append, cached=cached
        )
        assert checkout.path == tmp_path / "packages" / "models"
        assert checkout.edited == any(line.endswith("with local edits") for line in said)
        assert {each.name for each in (tmp_path / "packages").iterdir()} == {
            "models", ".opperf-checkouts",
        }  # fmt: skip
        assert [*(tmp_path / "packages/.opperf-checkouts").glob("made-*")] == []
        return said

    return run


@pytest.fixture
def tool(tmp_path: Path) -> Path:
    """Return the file of the checkout."""
    return tmp_path / "packages" / "models" / "lib" / "tool.py"


def head(tool: Path) -> str:
    """Return the commit of the checkout."""
    return git(tool.parent, "rev-parse", "HEAD")


@pytest.mark.parametrize(
    ("text", "commit"),
    [
        ("{url};trunk;{first}", 0), ("{url};trunk;{second}", 1), ("{url};;{first}", 0),
        ("{url};trunk;{short}", 0), ("{url};;{short}", 0), ("{url};trunk", 2), ("{url}", 2),
        ("{url};;", 2), ("{url};v2", 1), ("{url}/;trunk;{first}", 0),
    ],
)  # fmt: skip
def test_a_commit_is_checked_out(
    fetched: Any, origin: Origin, tool: Path, text: str, commit: int
) -> None:
    """With a hash whole or short, a branch, a tag, or none of them."""
    first, second, _ = origin.commits
    said = fetched(text.format(url=origin.url, first=first, second=second, short=first[:9]))
    assert said == [f"{origin.url}: fetching"]
    assert head(tool) == origin.commits[commit]
    assert tool.read_text() == f"VALUE = {commit + 1}\n"


def test_it_is_shallow_and_knows_its_origin(fetched: Any, origin: Origin, tool: Path) -> None:
    """One commit came; address and branch are what the summary says."""
    fetched(f"{origin.url};trunk;{origin.commits[1]}")
    assert git(tool.parent, "rev-list", "--count", "--all") == "1"
    assert git(tool.parent, "remote", "get-url", "origin") == origin.url
    assert git(tool.parent, "branch", "--show-current") == "trunk"


def test_a_commit_that_is_there_is_not_fetched(fetched: Any, origin: Origin, tool: Path) -> None:
    """A hash needs no server; what Python leaves beside modules is no edit."""
    fetched(f"{origin.url};trunk;{origin.commits[1]}")
    (tool.parent / "__pycache__").mkdir()
    (tool.parent / "__pycache__" / "tool.pyc").touch()
    origin.path.rename(origin.path.with_name("gone"))
    assert fetched(f"{origin.url};trunk;{origin.commits[1]}") == []


def test_another_commit_replaces_it(fetched: Any, origin: Origin, tool: Path) -> None:
    """And a branch that has gone on is followed."""
    fetched(f"{origin.url};trunk;{origin.commits[1]}")
    fetched(f"{origin.url};trunk;{origin.commits[0]}")
    assert tool.read_text() == "VALUE = 1\n"
    fetched(f"{origin.url};trunk")
    assert head(tool) == origin.commits[2]
    assert fetched(f"{origin.url};trunk") == []
    git(origin.path, "commit", "--quiet", "--allow-empty", "-m", "Go on")
    assert fetched(f"{origin.url};trunk") == [f"{origin.url}: fetching"]
    assert head(tool) == git(origin.path, "rev-parse", "HEAD")


@pytest.mark.parametrize("edit", ["changed", "new", "committed"])
def test_local_edits_are_kept(fetched: Any, origin: Origin, tool: Path, edit: str) -> None:
    """Without the flag they are refused, with it they are run, and both are said."""
    text = f"{origin.url};trunk;{origin.commits[1]}"
    fetched(text)
    (tool if edit != "new" else tool.with_name("mine.py")).write_text("VALUE = 'mine'\n")
    if edit == "committed":
        git(tool.parent, "commit", "--quiet", "-am", "Mine")
    for asked in (text, f"{origin.url};trunk;{origin.commits[0]}", origin.url):
        with pytest.raises(UsageError, match=r"has local .*--use_cached_site_packages takes it as"):
            fetched(asked)
    (said,) = fetched(text, cached=True)
    assert "taken as it is" in said
    assert head(tool) in said
    assert said.endswith("with local edits") == (edit != "committed")
    assert "mine" in (tool if edit != "new" else tool.with_name("mine.py")).read_text()


def test_a_folder_of_somebody_else(fetched: Any, origin: Origin, tool: Path) -> None:
    """Neither a plain folder nor another repository's checkout is replaced."""
    tool.parent.mkdir(parents=True)
    with pytest.raises(UsageError, match="is no checkout of git; remove it"):
        fetched(origin.url)
    git(tool.parents[1], "init", "--quiet")
    with pytest.raises(UsageError, match="is the checkout of another repository"):
        fetched(origin.url)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{url};trunk;" + "0" * 40, "has no commit 0{40} that can be fetched, on branch trunk"),
        ("{url};trunk;0000000", "has no commit 0000000"),
        ("{url};no/such", "has no branch no/such"),
        ("{gone};trunk", "does not appear to be a git repository"),
    ],
)
def test_what_the_repository_has_not(
    fetched: Any, origin: Origin, tool: Path, text: str, message: str
) -> None:
    """One line, and no folder."""
    with pytest.raises(UsageError, match=message) as raised:
        fetched(text.format(url=origin.url, gone=f"{origin.path.parent.as_uri()}/none/models"))
    assert "\n" not in str(raised.value)
    assert not tool.parents[1].exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("--upload-pack=touch x", "a URL is needed|no URL has such characters"),
        ("ext::sh -c touch% /tmp/x", "no URL has such characters"),
        ("ext::sh", "unknown scheme 'ext'"),
        ("ssh://host/models", "unknown scheme 'ssh' of --git_repos; allowed: file, https"),
        ("http://host/models", "did you mean 'https'"),
        ("git@host:models.git", "a URL is needed"),
        ("https://me:mine@host/models", "the URL of host holds a login; put it into ~/.netrc"),
        ("https://host/models;--upload-pack=x", "'--upload-pack=x' is no name of a branch"),
        ("https://host/models;a..b", "no name of a branch"),
        ("https://host/models;a:refs/heads/b", "no name of a branch"),
        ("https://host/models;+a", "no name of a branch"),
        ("https://host/models;a b", "no name of a branch"),
        ("https://host/models;a.lock", "no name of a branch"),
        ("https://host/models;;--all", "'--all' is no hash of a commit"),
        ("https://host/models;;12ab", "no hash of a commit: 7 to 40"),
        ("https://host/models;a;1234567;b", "must be URL;BRANCH;HASH"),
        (";a", "must be URL;BRANCH;HASH"),
        ("https://host/..", "no name of a folder"),
        ("https://host/-x", "no name of a folder"),
        ("https://host/", "no name of a folder"),
        ("https:///models", "names no host"),
        ("file://host/models", "an absolute path of this machine"),
        ("$NO_SUCH_VARIABLE", "there is no such environment variable"),
        ("https://h/a.git,https://i/a", "two repositories are called a"),
    ],
)
def test_a_wrong_text(text: str, message: str) -> None:
    """Nothing that git could take for an option or another protocol reaches it."""
    with pytest.raises(UsageError, match=message) as raised:
        parse_repositories([text])
    assert "\n" not in str(raised.value)
    assert "mine" not in str(raised.value)


def test_git_is_asked_without_a_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fetched: Any, origin: Origin
) -> None:
    """Other variables of git, as a hook has them, lead it nowhere; hooks are not run."""
    templates = tmp_path / "templates" / "hooks"
    templates.mkdir(parents=True)
    (templates / "post-checkout").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    (templates / "post-checkout").chmod(0o755)
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(templates.parent))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    fetched(origin.url)
    assert not (tmp_path / "ran").exists()
    with pytest.raises(Exception, match="transport 'ext' not allowed"):
        run_git(["-c", "protocol.ext.allow=always", "ls-remote", "ext::true"], tmp_path)


def test_git_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what it has started; here a program of that name."""
    fake = tmp_path / "git"
    fake.write_text("#!/bin/sh\nsleep 600 & echo $! > pid; wait\n")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    pid = tmp_path / "pid"
    for limit in (1, 4, 16, 64):  # until it has come so far in its time
        with pytest.raises(UsageError, match=f"git status took more than {limit} s and was ended"):
            run_git(["status"], tmp_path, float(limit))
        if pid.exists() and pid.read_text().endswith("\n"):
            break
    assert is_gone(int(pid.read_text()))


def test_git_ends_with_opperf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where that is killed."""
    (tmp_path / "git").write_text("#!/bin/sh\necho $$ > made; mv made pid; exec sleep 600\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    program = (
        "from pathlib import Path; from opperf.fetching.git import run_git; "
        "run_git(['status'], Path('.'))"
    )
    with subprocess.Popen([sys.executable, "-c", program], cwd=tmp_path) as process:
        deadline = time.monotonic() + 120
        while not (tmp_path / "pid").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        process.kill()
    assert is_gone(int((tmp_path / "pid").read_text()))


def is_gone(pid: int) -> bool:
    """Return whether a process ends, or waits for whoever may reap it."""
    try:
        process = Process(pid)
        return process.status() == STATUS_ZOMBIE or process.wait(120) is None
    except NoSuchProcess:
        return True


def test_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says what is needed."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="git is not installed"):
        run_git(["status"], tmp_path)

"""The commit of the opperf checkout that measures, against real git."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from opperf.core.environment.revision import CHECKOUT, checked_out_commit

if TYPE_CHECKING:
    from pathlib import Path

GIT = shutil.which("git") or ""
ALONE = {
    "PATH": os.defpath,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@localhost",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@localhost",
}
"""Nothing of the user's own git settings, and no GIT_DIR of a hook that runs these tests."""


def git(where: Path, *arguments: str) -> str:
    """Return what git prints when run there."""
    command = [GIT, "-C", str(where), *arguments]
    return subprocess.run(command, env=ALONE, check=True, capture_output=True, text=True).stdout


def head(where: Path) -> str:
    """Return the commit that git itself names."""
    return git(where, "rev-parse", "HEAD").strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a work tree with two commits, the second on a branch with a slash in its name."""
    if not GIT:
        pytest.skip("git is not installed")
    path = tmp_path / "repository"
    path.mkdir()
    git(path, "init", "--quiet")
    git(path, "commit", "--quiet", "--allow-empty", "-m", "first")
    git(path, "checkout", "--quiet", "-b", "topic/one")
    git(path, "commit", "--quiet", "--allow-empty", "-m", "second")
    return path


def test_branch(repository: Path) -> None:
    """On a branch the commit is the branch's."""
    assert checked_out_commit(repository) == head(repository)


def test_detached_head(repository: Path) -> None:
    """Without a branch the commit is the one checked out."""
    git(repository, "checkout", "--quiet", "--detach", "HEAD~1")
    assert checked_out_commit(repository) == head(repository)


def test_packed_references(repository: Path) -> None:
    """A branch whose own file is gone is found among the packed ones, beside annotated tags."""
    git(repository, "tag", "-a", "-m", "tag", "v1")
    git(repository, "pack-refs", "--all")
    assert not (repository / ".git/refs/heads/topic/one").exists()
    assert checked_out_commit(repository) == head(repository)


def test_commit_after_packing(repository: Path) -> None:
    """A branch's own file is newer than the packed ones."""
    git(repository, "pack-refs", "--all")
    git(repository, "commit", "--quiet", "--allow-empty", "-m", "third")
    assert checked_out_commit(repository) == head(repository)


@pytest.mark.parametrize("pack", [False, True])
@pytest.mark.parametrize("how", [["-b", "other"], ["--detach"]])
def test_worktree(repository: Path, tmp_path: Path, how: list[str], *, pack: bool) -> None:
    """A further worktree has its own commit, and its branches where the first one has them."""
    second = tmp_path / "second"
    git(repository, "worktree", "add", "--quiet", *how, str(second), "HEAD~1")
    if pack:
        git(repository, "pack-refs", "--all")
    assert checked_out_commit(second) == head(second) != head(repository)


def test_submodule(repository: Path, tmp_path: Path) -> None:
    """A submodule names its git files by a relative path."""
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "--quiet")
    add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add"]
    git(outer, *add, str(repository), "inner")
    assert checked_out_commit(outer / "inner") == head(repository)


def test_long_commit_names(tmp_path: Path) -> None:
    """A repository that uses SHA-256 has names of 64 digits."""
    if not GIT:
        pytest.skip("git is not installed")
    git(tmp_path, "init", "--quiet", "--object-format=sha256")
    git(tmp_path, "commit", "--quiet", "--allow-empty", "-m", "first")
    assert checked_out_commit(tmp_path) == head(tmp_path)


def test_no_commit_yet(tmp_path: Path) -> None:
    """A repository without a commit has none to name."""
    if not GIT:
        pytest.skip("git is not installed")
    git(tmp_path, "init", "--quiet")
    assert checked_out_commit(tmp_path) is None


def test_no_git(tmp_path: Path) -> None:
    """A folder without git has no commit."""
    assert checked_out_commit(tmp_path) is None


def test_inside_another_work_tree(repository: Path) -> None:
    """A package installed inside another project's work tree does not take that one's commit."""
    site_packages = repository / ".venv/lib/site-packages"
    site_packages.mkdir(parents=True)
    assert checked_out_commit(site_packages) is None


@pytest.mark.parametrize(
    "files",
    [
        {".git": "gitdir: /nowhere"},
        {".git": "odd"},
        {".git/HEAD": "ref:"},
        {".git/HEAD": "ref: refs/heads/gone"},
        {".git/HEAD": "ref: refs/heads/a", ".git/refs/heads/a": "ref: refs/heads/b"},
        {".git/HEAD": "0123"},
        {".git/HEAD": "ref:", ".git/packed-refs": f"^{'0' * 40}"},
    ],
)
def test_damage(tmp_path: Path, files: dict[str, str]) -> None:
    """Damaged git files are no commit and no exception."""
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    assert checked_out_commit(tmp_path) is None


def test_default_is_the_folder_that_holds_the_package() -> None:
    """By default the commit is that of the package's own checkout."""
    assert (CHECKOUT / "opperf/core/environment/revision.py").is_file()

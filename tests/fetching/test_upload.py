"""Uploads: whole or not at all, and what is said where one fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from opperf.core.errors import UsageError
from opperf.fetching import filesystem
from opperf.fetching.upload import Destination
from tests.fetching.test_data import missing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder as a method leaves it, a link in it to a file of somebody else's."""
    path = tmp_path / "2026-11-23"
    (path / "deep").mkdir(parents=True)
    (path / "summary.json").write_text("{}")
    (path / "zebra").write_text("z")
    (path / "deep" / "trace.json").write_text("[]")
    (path / "link").symlink_to("/etc/passwd")
    return path


def test_a_folder_is_copied(folder: Path, tmp_path: Path) -> None:
    """By file://, all at once; links are not followed, and nothing else is left there."""
    there = tmp_path / "kept here"
    destination = Destination(there.as_uri())
    destination.put(folder)
    assert destination.url_of(folder) == f"{there.as_uri()}/2026-11-23/"
    found = {path.relative_to(there).as_posix() for path in there.rglob("*") if path.is_file()}
    assert found - {".opperf-uploads/lock"} == {
        "2026-11-23/summary.json", "2026-11-23/zebra", "2026-11-23/deep/trace.json",
    }  # fmt: skip


def test_what_cannot_be_copied(folder: Path, tmp_path: Path) -> None:
    """One line says where it still is; half a folder is not there."""
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cannot upload to .*; it is all in ") as raised:
        Destination((tmp_path / "file").as_uri()).put(folder)
    assert "\n" not in str(raised.value)
    there = tmp_path / "there"
    (there / folder.name).mkdir(parents=True)
    (there / folder.name / "another").touch()
    with pytest.raises(UsageError, match="Directory not empty"):
        Destination(there.as_uri()).put(folder)
    assert [path.name for path in there.glob("[!.]*/*")] == ["another"]


@pytest.fixture
def order() -> Iterator[list[str]]:
    """Return in which order objects come into a store that is taken for s3://."""
    names: list[str] = []

    class Store(MemoryFileSystem):
        def put_file(self, lpath: str, rpath: str, **options: object) -> None:
            names.append(rpath)
            super().put_file(lpath, rpath, **options)

    fsspec.register_implementation("s3", Store, clobber=True)
    yield names
    MemoryFileSystem.store.clear()
    fsspec.register_implementation("s3", "s3fs.S3FileSystem", clobber=True)


def test_the_summary_comes_last(folder: Path, order: list[str]) -> None:
    """Into an object store, where nothing is renamed: where it is, all is."""
    Destination("s3://team/results/").put(folder)
    begin = "team/results/2026-11-23/"
    assert order == [f"{begin}{name}" for name in ("zebra", "deep/trace.json", "summary.json")]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://host/x", "unknown scheme 'ftp' of --output_url; allowed: file, gs, s3"),
        ("s3://key:mine@bucket/x", "holds a login"),
        ("results", "a URL is needed"),
        ("gs:///x", "names no host"),
    ],
)
def test_a_wrong_url(url: str, message: str) -> None:
    """It is refused before anything runs."""
    with pytest.raises(UsageError, match=message) as raised:
        Destination(url)
    assert "mine" not in str(raised.value)


@pytest.mark.parametrize(("scheme", "extra"), [("file", "remote"), ("gs", "gcs"), ("s3", "s3")])
def test_a_library_that_is_missing(
    monkeypatch: pytest.MonkeyPatch, scheme: str, extra: str
) -> None:
    """One line names the extra."""
    monkeypatch.setattr(filesystem, "import_module", missing)
    host = "" if scheme == "file" else "bucket"
    with pytest.raises(UsageError, match=rf"pip install 'opperf\[{extra}\]'"):
        Destination(f"{scheme}://{host}/x")

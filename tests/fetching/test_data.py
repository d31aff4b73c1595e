"""Data sets in their folder: where each lies, what it is made of, and nothing half there."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import tarfile
from typing import TYPE_CHECKING, Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from opperf.core.errors import UsageError
from opperf.fetching import archive, filesystem
from opperf.fetching.data import parse_downloads, place_data
from opperf.fetching.places import remove_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from opperf.fetching.cache import FileCache
    from tests.fetching.conftest import Script


def packed(text: bytes = b"1,2\n") -> bytes:
    """Return an archive of one file in a folder."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as tar:
        header = tarfile.TarInfo("batch/one.csv")
        header.size = len(text)
        tar.addfile(header, io.BytesIO(text))
    return file.getvalue()


@pytest.fixture
def place(tmp_path: Path, server: Script, cache: FileCache) -> Callable[..., set[str]]:
    """Return what carries texts out, with the server's address, and names the files there are."""
    server.files = {"/set.tar.gz": packed(), "/labels.csv": b"1\n"}

    def run(*texts: str) -> set[str]:
        downloads = parse_downloads([text.replace("URL", server.url("")) for text in texts])
        place_data(downloads, tmp_path / "data", cache, lambda _: None)
        files = (tmp_path / "data").rglob("*")
        found = {path.relative_to(tmp_path / "data").as_posix() for path in files if path.is_file()}
        return {name for name in found if not name.startswith(".opperf-downloads/origins")} - {
            ".opperf-downloads/lock"
        }

    return run


def test_where_data_lie(place: Any) -> None:
    """An archive becomes a folder of its name, or of the path; named as an archive it stays one."""
    assert place("URL/set.tar.gz,URL/labels.csv") == {"set/batch/one.csv", "labels.csv"}
    assert place("URL/set.tar.gz;a/b", "URL/set.tar.gz;kept.tgz", "URL/labels.csv;c/l") == {
        "set/batch/one.csv", "labels.csv", "a/b/batch/one.csv", "kept.tgz", "c/l",
    }  # fmt: skip


def test_what_is_there_is_not_fetched_again(place: Any, server: Script, tmp_path: Path) -> None:
    """Whoever put it there; with a hash it is to be made of that."""
    value = hashlib.sha256(server.files["/set.tar.gz"]).hexdigest()
    place("URL/set.tar.gz", "URL/labels.csv")
    count = len(server.requests)
    place("URL/set.tar.gz", "URL/labels.csv")
    place(f"URL/set.tar.gz;;{value}")
    assert len(server.requests) == count
    with pytest.raises(UsageError, match=f"set is there already, made of sha256:{value}, not sha"):
        place(f"URL/set.tar.gz;;{'0' * 64}")
    (tmp_path / "data" / "mine").mkdir()
    place("URL/set.tar.gz;mine")
    with pytest.raises(UsageError, match="mine is there already, made of nobody knows what"):
        place(f"URL/set.tar.gz;mine;{value}")


def test_a_full_disk_leaves_nothing(
    place: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither half a folder nor what it was made in."""
    real = archive.extract_tar

    def fail(path: Path, folder: Path, bounds: Any) -> None:
        real(path, folder, bounds)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder / "batch"))

    monkeypatch.setattr(archive, "extract_tar", fail)
    with pytest.raises(UsageError, match=r"No space left .*give another --root_data_dir") as raised:
        place("URL/set.tar.gz")
    assert "\n" not in str(raised.value)
    assert [*(tmp_path / "data").glob("[!.]*")] == []
    assert [*(tmp_path / "data/.opperf-downloads").glob("made-*")] == []


def test_what_a_killed_process_left_is_removed(place: Any, tmp_path: Path) -> None:
    """It lies where nobody takes it for data, until the next download."""
    left = tmp_path / "data" / ".opperf-downloads" / "made-before" / "new" / "closed"
    left.mkdir(parents=True)
    (left / "file").touch()
    left.chmod(0o500)
    assert place("URL/labels.csv") == {"labels.csv"}
    assert not left.exists()


def test_a_damaged_archive_is_not_there(place: Any, server: Script, tmp_path: Path) -> None:
    """One line names it."""
    server.files["/set.tar.gz"] = packed()[:-40]
    with pytest.raises(UsageError, match=r"set\.tar\.gz is not extracted"):
        place("URL/set.tar.gz")
    assert [*(tmp_path / "data").glob("[!.]*")] == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("URL/a;../b", "is no path within the data folder"),
        ("URL/a;/b", "is no path within the data folder"),
        ("URL/", "is no path within the data folder"),
        ("URL/a;.opperf-downloads/x", "is no path within the data folder"),
        ("URL/a;b;c;d", "must be URL;PATH;HASH"),
        ("", "must be URL;PATH;HASH"),
        ("URL/a;b;12", "'12' is no hash; allowed: sha256:"),
        ("URL/a,URL/b;a", "a and a are one place"),
        ("URL/a,URL/b;a/c", "a and a/c are one place"),
        ("ftp://host/a", "unknown scheme 'ftp'"),
        ("http://example.org/a", "give its sha256, or an https:// URL"),
        ("https://me:mine@host/a", "holds a login"),
        ("https://host/a?X-Amz-Signature=mine", "holds a secret; .* write '.NAME' of it"),
        ("https://host/a?token=mine", "holds a secret"),
        ("https://[host/a", "it is no URL"),
        ("https://host:port/a", "it is no URL"),
        ("https://.org/a", "it is no URL"),
        (f"https://{'a' * 64}.org/a", "it is no URL"),
        ("https://host/a\nb", "no URL has such characters"),
    ],
)
def test_a_wrong_text(text: str, message: str) -> None:
    """One line, before anything is fetched, and no secret in it."""
    with pytest.raises(UsageError, match=message) as raised:
        parse_downloads([text.replace("URL", "https://host")])
    assert "\n" not in str(raised.value)
    assert "mine" not in str(raised.value)


def test_a_url_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named by its variable wherever it is named."""
    monkeypatch.setenv("DATA_URL", "https://host/a.zip?sig=mine")
    (download,) = parse_downloads(["$DATA_URL"])
    assert download.path.as_posix() == "a"
    assert str(download.address) == "$DATA_URL"
    assert "mine" not in repr(download)


@pytest.fixture
def store() -> Iterator[Any]:
    """Return a store in memory that is taken for gs://."""
    fsspec.register_implementation("gs", MemoryFileSystem, clobber=True)
    yield MemoryFileSystem()
    MemoryFileSystem.store.clear()
    fsspec.register_implementation("gs", "gcsfs.GCSFileSystem", clobber=True)


def test_objects_of_a_store(place: Any, store: Any) -> None:
    """A folder of them, as in PerfZero's example, or one, which has a hash."""
    store.pipe({"/b/set/one.bin": b"1", "/b/set/deep/two.bin": b"2", "/b/x.tgz": packed()})
    value = hashlib.sha256(packed()).hexdigest()
    assert place("gs://b/set", f"gs://b/x.tgz;x;{value}") == {
        "set/one.bin", "set/deep/two.bin", "x/batch/one.csv",
    }  # fmt: skip
    with pytest.raises(UsageError, match="no hash is of a folder"):
        place(f"gs://b/set;again;{value}")
    with pytest.raises(UsageError, match="there is no such object"):
        place("gs://b/none;other")


@pytest.mark.parametrize(("scheme", "extra"), [("gs", "gcs"), ("s3", "s3")])
def test_a_library_that_is_missing(
    place: Any, monkeypatch: pytest.MonkeyPatch, scheme: str, extra: str
) -> None:
    """One line names the extra."""
    monkeypatch.setattr(filesystem, "import_module", missing)
    with pytest.raises(UsageError, match=rf"pip install 'opperf\[{extra}\]'"):
        place(f"{scheme}://b/set")


def missing(name: str) -> None:
    """Import nothing."""
    raise ImportError(name=name)


def test_a_tree_that_forbids_it_is_removed(tmp_path: Path) -> None:
    """Whatever the modes of its folders are."""
    inner = tmp_path / "made" / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "file").touch()
    inner.chmod(0o500)
    inner.parent.chmod(0o500)
    remove_tree(tmp_path / "made")
    assert not (tmp_path / "made").exists()

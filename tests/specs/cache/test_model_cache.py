"""Files of a specification: fetched once, checked at each use, in a folder of their own."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import tarfile
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from opperf.core.errors import UsageError
from opperf.fetching import filesystem
from opperf.specs.cache.model_cache import ModelCache

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.specs.format.expanded import FileSpec
    from tests.fetching.conftest import Script

NET = b"a network"


def sha256(data: bytes) -> str:
    """Return the digits of a hash."""
    return hashlib.sha256(data).hexdigest()


def md5(data: bytes) -> str:
    """Return the digits of the document's hash."""
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


@pytest.mark.parametrize("algorithm", ["sha256", "md5"])
def test_a_file_is_fetched_once(
    cache: ModelCache,
    server: Script,
    spec: Callable[..., FileSpec],
    algorithm: str,
    lines: list[str],
) -> None:
    """What has the hash is used again, and the server is not asked."""
    server.files["/net"] = NET
    value = {"sha256": sha256, "md5": md5}[algorithm](NET)
    for _ in range(2):
        placed = cache.place({"model": spec(server.url("/net"), **{algorithm: value})})
        assert placed.files["model"].read_bytes() == NET
        assert placed.files["model"] == placed.folder / "net.pt"
        assert placed.hashes["model"] == {"sha256": sha256(NET), "md5": md5(NET)}
    assert len(server.requests) == 1
    assert lines == []


def test_a_changed_file_of_the_cache_is_fetched_again(
    cache: ModelCache, server: Script, spec: Callable[..., FileSpec]
) -> None:
    """In its place under its name, which is a link of the content, or a file of its own."""
    server.files["/net"] = NET
    file = spec(server.url("/net"), md5=md5(NET))
    path = cache.place({"model": file}).files["model"]
    path.chmod(0o644)
    path.write_bytes(b"mutated")
    assert cache.place({"model": file}).files["model"].read_bytes() == NET
    assert len(server.requests) == 2
    path.unlink()
    path.write_bytes(b"another")  # the content is whole: it is not fetched for this
    assert cache.place({"model": file}).files["model"].read_bytes() == NET
    path.unlink()
    path.symlink_to("/etc/hostname")
    assert cache.place({"model": file}).files["model"].read_bytes() == NET
    assert not path.is_symlink()
    assert len(server.requests) == 2


def test_a_new_hash_fetches_the_new_model(
    cache: ModelCache, server: Script, spec: Callable[..., FileSpec]
) -> None:
    """As the document has it: the specification changes, and the model follows."""
    server.files["/net"] = NET
    cache.place({"model": spec(server.url("/net"), md5=md5(NET))})
    server.files["/net"] = b"better"
    placed = cache.place({"model": spec(server.url("/net"), md5=md5(b"better"))})
    assert placed.files["model"].read_bytes() == b"better"


@pytest.mark.parametrize("local", [False, True])
def test_a_wrong_hash_fails_and_names_both(
    cache: ModelCache, server: Script, spec: Callable[..., FileSpec], tmp_path: Path, *, local: bool
) -> None:
    """Each of two hashes is compared, and nothing is left of the wrong file."""
    server.files["/net"] = NET
    (tmp_path / "net").write_bytes(NET)
    location = "net" if local else server.url("/net")
    with pytest.raises(UsageError) as caught:
        cache.place({"model": spec(location, sha256=sha256(b"other"))})
    assert str(caught.value).startswith("s.json: $.model: ")
    assert sha256(b"other") in str(caught.value)
    assert sha256(NET) in str(caught.value)
    with pytest.raises(UsageError, match=f"{md5(b'other')}.*{md5(NET)}"):
        cache.place({"model": spec(location, sha256=sha256(NET), md5=md5(b"other"))})
    assert not list((tmp_path / "cache").glob("models/*/*"))


def test_without_a_hash_it_is_told_and_not_written(
    cache: ModelCache,
    server: Script,
    spec: Callable[..., FileSpec],
    tmp_path: Path,
    lines: list[str],
) -> None:
    """The specification stays as it is; the newest content is used, also where it has changed."""
    document = tmp_path / "s.json"
    document.write_text("{}")
    server.files["/net"] = NET
    file = spec(server.url("/net"))
    cache.place({"model": file})
    assert [sha256(NET) in line for line in lines] == [True]
    server.files["/net"], server.etag = b"newer", '"2"'
    assert cache.place({"model": file}).files["model"].read_bytes() == b"newer"
    assert document.read_text() == "{}"


def test_files_lie_beside_each_other(
    cache: ModelCache, spec: Callable[..., FileSpec], tmp_path: Path
) -> None:
    """By path, by file://, below the root, and by hash alone what is there already."""
    (tmp_path / "a.bin").write_bytes(b"a")
    (tmp_path / "root" / "b").mkdir()
    (tmp_path / "root" / "b" / "b.bin").write_bytes(b"b")
    files = {
        "one": spec("a.bin", "one"),
        "two": spec(str(tmp_path / "a.bin"), "two", md5=md5(b"a")),
        "three": spec((tmp_path / "a.bin").as_uri(), "three", sha256=sha256(b"a")),
        "four": spec("//b/b.bin", "four"),
    }
    placed = cache.place(files)
    assert {path.name: path.read_bytes() for path in placed.folder.iterdir()} == {
        "one": b"a", "two": b"a", "three": b"a", "four": b"b",
    }  # fmt: skip
    assert cache.place(files).folder == placed.folder
    (tmp_path / "a.bin").write_bytes(b"changed")
    with pytest.raises(UsageError, match="has not the hash"):
        cache.place(files)


def test_a_file_that_the_cache_has_needs_no_location(
    cache: ModelCache, server: Script, spec: Callable[..., FileSpec]
) -> None:
    """Its hash says which."""
    server.files["/net"] = NET
    with pytest.raises(UsageError, match=f"the cache has no md5:{md5(NET)}"):
        cache.place({"model": spec("", md5=md5(NET))})
    cache.place({"model": spec(server.url("/net"), md5=md5(NET))})
    assert cache.place({"model": spec("", md5=md5(NET))}).files["model"].read_bytes() == NET


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("//../secret", "no path below --root_model_dir"),
        ("//a/../../secret", "no path below --root_model_dir"),
        ("//", "no path below"),
        ("ftp://host/net", "unknown scheme 'ftp'"),
        ("http://example.org/net", "http:// brings"),
        ("https://me:secret@example.org/net", "holds a login"),
        ("", "neither a location nor a hash"),
        ("absent.pt", "no such file"),
    ],
)
def test_locations_that_are_refused(
    cache: ModelCache, spec: Callable[..., FileSpec], location: str, words: str
) -> None:
    """In one line that says where it stands."""
    with pytest.raises(UsageError, match=words) as caught:
        cache.place({"model": spec(location)})
    assert "s.json: $.model" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_root_is_asked_for(tmp_path: Path, spec: Callable[..., FileSpec]) -> None:
    """By the option's name."""
    cache = ModelCache(tmp_path / "cache", None, lambda _: None)
    with pytest.raises(UsageError, match="--root_model_dir DIR"):
        cache.place({"model": spec("//net")})


def test_two_files_of_one_name_are_refused(
    cache: ModelCache, spec: Callable[..., FileSpec], tmp_path: Path
) -> None:
    """One would hide the other; the same file by two roles is no matter."""
    for name in "ab":
        (tmp_path / name).write_text(name)
    with pytest.raises(UsageError, match=r"is called net\.pt as well"):
        cache.place({"init": spec("a"), "predict": spec("b")})
    assert set(cache.place({"init": spec("a"), "predict": spec("a")}).files) == {"init", "predict"}


def test_an_object_store(
    cache: ModelCache, spec: Callable[..., FileSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through fsspec."""
    store = MemoryFileSystem(skip_instance_cache=True)
    store.store = {}
    monkeypatch.setattr(filesystem, "open_store", lambda _: store)
    store.pipe_file("/bucket/net", NET)
    placed = cache.place({"model": spec("s3://bucket/net", sha256=sha256(NET))})
    assert placed.files["model"].read_bytes() == NET


def tar_of(name: str) -> bytes:
    """Return a compressed archive of one file."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as tar:
        header = tarfile.TarInfo(name)
        header.size = len(NET)
        tar.addfile(header, io.BytesIO(NET))
    return file.getvalue()


def zip_of(name: str) -> bytes:
    """Return the same as a .zip."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, NET)
    return file.getvalue()


@pytest.mark.parametrize(("end", "pack"), [("tar.gz", tar_of), ("zip", zip_of)])
def test_an_archive_becomes_a_folder(
    cache: ModelCache, spec: Callable[..., FileSpec], tmp_path: Path, end: str, pack: Any
) -> None:
    """Unless it is named as one; what was changed in it is extracted again."""
    (tmp_path / f"net.{end}").write_bytes(pack("inner/net.pt"))
    file = spec(f"net.{end}", "net")
    folder = cache.place({"model": file}).files["model"]
    assert (folder / "inner" / "net.pt").read_bytes() == NET
    (folder / "inner" / "net.pt").write_bytes(b"mutated")
    (folder / "more").touch()
    assert cache.place({"model": file}).files["model"] == folder
    assert {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == {
        "net.pt": NET
    }
    assert cache.place({"model": spec(f"net.{end}", f"kept.{end}")}).files["model"].is_file()


@pytest.mark.parametrize(("end", "pack"), [("tar.gz", tar_of), ("zip", zip_of)])
def test_an_archive_that_leaves_its_folder_is_refused(
    cache: ModelCache, spec: Callable[..., FileSpec], tmp_path: Path, end: str, pack: Any
) -> None:
    """Nothing of it is anywhere."""
    (tmp_path / f"net.{end}").write_bytes(pack("../../../../../escaped"))
    before = set(tmp_path.rglob("escaped"))
    with pytest.raises(UsageError, match="is not extracted"):
        cache.place({"model": spec(f"net.{end}", "net")})
    assert set(tmp_path.rglob("escaped")) == before == set()
    assert not list((tmp_path / "cache").glob("models/*/*"))


def test_data_downloads(cache: ModelCache, server: Script) -> None:
    """By their paths, with the checks of models."""
    server.files = {"/labels": NET, "/set.zip": zip_of("one.csv")}
    text = f"{server.url('/labels')};a/labels;md5:{md5(NET)}"
    placed = cache.place_downloads([text, server.url("/set.zip")])
    assert (placed.folder / "a" / "labels").read_bytes() == NET
    assert (placed.files["set"] / "one.csv").read_bytes() == NET
    with pytest.raises(UsageError, match="no path within"):
        cache.place_downloads([f"{server.url('/labels')};../labels"])


PLACE = """
import sys
from pathlib import Path
from opperf.specs.cache.model_cache import ModelCache
from opperf.specs.format.expanded import FileSpec
url, folder = sys.argv[1:]
spec = FileSpec(filename="net.pt", location=url, folder=Path(folder), place="s.json: $.model")
for _ in range(20):
    placed = ModelCache(Path(folder) / "cache", None, lambda _: None).place({"model": spec})
    assert placed.files["model"].read_bytes() == b"a network", placed
"""


def test_processes_share_a_cache(server: Script, tmp_path: Path) -> None:
    """Each finds the whole file."""
    server.files["/net"] = NET
    command = [sys.executable, "-c", PLACE, server.url("/net"), str(tmp_path)]
    running = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait(120) for process in running] == [0, 0]
    assert not list((tmp_path / "cache").glob("making/*/*"))

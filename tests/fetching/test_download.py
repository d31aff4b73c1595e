"""Downloads: resumed, checked, kept by their content, and nothing wrong or half of one."""

from __future__ import annotations

import hashlib
import multiprocessing
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from opperf.core.errors import UsageError
from opperf.fetching import download
from opperf.fetching.address import Address
from opperf.fetching.cache import FileCache
from opperf.fetching.digest import Digest, parse_digest

if TYPE_CHECKING:
    from tests.fetching.conftest import Script

DATA = bytes(range(256)) * 4000
SHA = Digest("sha256", hashlib.sha256(DATA).hexdigest())
MD5 = Digest("md5", hashlib.md5(DATA, usedforsecurity=False).hexdigest())


def at(server: Script, path: str = "/data.bin") -> Address:
    """Return the address of a file of the server, which it has."""
    server.files.setdefault(path, DATA)
    return Address(server.url(path), server.url(path))


def partials(cache: FileCache) -> list[Path]:
    """Return what has come of files that are not whole."""
    return [*(cache.folder / "partial").glob("*")]


@pytest.mark.parametrize("digest", [SHA, MD5, None], ids=str)
def test_a_file_is_fetched_once(server: Script, cache: FileCache, digest: Digest | None) -> None:
    """By a hash the server is not asked again; without one it says that nothing is new."""
    first = cache.fetch(at(server), digest)
    second = cache.fetch(at(server), digest)
    assert first == second
    assert first.path.read_bytes() == DATA
    assert server.asked("If-None-Match") == ([None] if digest else [None, '"1"'])
    assert partials(cache) == []


def test_a_newer_file_is_fetched(server: Script, cache: FileCache) -> None:
    """Where no hash was given, what the address has now counts."""
    cache.fetch(at(server))
    server.files["/data.bin"], server.etag = b"newer", '"2"'
    assert cache.fetch(at(server)).path.read_bytes() == b"newer"


def test_a_download_goes_on_where_it_was_cut_off(server: Script, cache: FileCache) -> None:
    """Cut off twice and refused once between: three parts of one file."""
    server.faults = ["cut 400000", "status 503", "cut 400000"]
    assert cache.fetch(at(server)).path.read_bytes() == DATA
    assert server.asked("Range") == [None, "bytes=400000-", "bytes=400000-", "bytes=800000-"]
    assert server.asked("If-Range") == [None, '"1"', '"1"', '"1"']


def test_another_command_goes_on(server: Script, cache: FileCache) -> None:
    """What has come is kept when the server stays away, and nobody takes it for the file."""
    server.faults = ["cut 400000", *["status 500"] * 3]
    with pytest.raises(UsageError, match="says 500 Internal Server Error; the same command goes"):
        cache.fetch(at(server))
    assert [path.stat().st_size for path in partials(cache) if not path.suffix] == [400000]
    assert not (cache.folder / "content").exists()
    assert cache.fetch(at(server)).path.read_bytes() == DATA
    assert server.asked("Range")[-1] == "bytes=400000-"


def test_a_file_that_changed_meanwhile_begins_anew(server: Script, cache: FileCache) -> None:
    """Parts of two versions are never put together."""
    server.faults = ["cut 400000", *["status 500"] * 3]
    with pytest.raises(UsageError):
        cache.fetch(at(server))
    server.files["/data.bin"], server.etag = DATA[::-1], '"2"'
    assert cache.fetch(at(server)).path.read_bytes() == DATA[::-1]


@pytest.mark.parametrize("digest", [SHA, None], ids=str)
def test_a_server_without_ranges_or_versions(
    server: Script, cache: FileCache, digest: Digest | None
) -> None:
    """All of it comes again."""
    server.ranges, server.etag, server.faults = False, None, ["cut 400000"]
    assert cache.fetch(at(server), digest).path.read_bytes() == DATA


def test_a_whole_part_that_was_not_moved_is_taken(server: Script, cache: FileCache) -> None:
    """A process was killed between the last byte and the file's place: the server says 416."""
    server.faults = ["cut 400000", *["status 500"] * 3]
    with pytest.raises(UsageError):
        cache.fetch(at(server))
    (partial,) = (path for path in partials(cache) if not path.suffix)
    partial.write_bytes(DATA)
    assert cache.fetch(at(server)).path.read_bytes() == DATA
    assert server.asked("Range")[-1] == f"bytes={len(DATA)}-"


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        (["status 404"], "says 404 Not Found"),
        (["status 500"] * 9, "says 500 Internal Server Error"),
        (["close"] * 9, "without response"),
        (["long"] * 9, "has not the length that the server had said|100 bytes too early"),
        (["unsaid"], "does not say how long it is; give its sha256"),
        (["redirect file:///etc/passwd"], "says 302 Found"),
        (["redirect ftp://127.0.0.1/x"], "redirects from http to ftp, which is not followed"),
        (["redirect /data.bin"] * 20, "says 302 Found"),
    ],
)
def test_what_a_server_does_wrong_is_one_line(
    server: Script, cache: FileCache, faults: list[str], message: str
) -> None:
    """It names the URL and what was wrong, and nothing is taken for the file."""
    server.faults = faults
    with pytest.raises(UsageError, match=message) as raised:
        cache.fetch(at(server))
    assert "\n" not in str(raised.value)
    assert not (cache.folder / "content").exists()


def test_a_server_that_drips(
    server: Script, cache: FileCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked again, and goes on quicker here; otherwise it would have taken for ever."""
    monkeypatch.setattr(download, "LOOK", 0.05)
    server.faults = ["drip"]
    assert cache.fetch(at(server)).path.read_bytes() == DATA
    assert len(server.requests) == 2
    assert server.requests[1]["If-Range"] == '"1"'
    server.files["/slow"] = DATA
    server.faults = ["drip"] * 60
    with pytest.raises(UsageError, match="s are too few; the same command goes on"):
        cache.fetch(at(server, "/slow"))


def test_a_redirect_is_followed(server: Script, cache: FileCache) -> None:
    """To another file of HTTP."""
    server.faults = ["redirect /data.bin"]
    at(server)
    assert cache.fetch(at(server, "/other")).path.read_bytes() == DATA


def test_a_wrong_hash(server: Script, cache: FileCache) -> None:
    """What came is not kept, so that it is not gone on with."""
    wrong = Digest("sha256", "0" * 64)
    with pytest.raises(UsageError, match=f"has not the hash .* it has {SHA}"):
        cache.fetch(at(server), wrong)
    assert partials(cache) == []
    assert not (cache.folder / "content").exists()


def test_a_damaged_file_of_the_cache_is_fetched_again(server: Script, cache: FileCache) -> None:
    """Its content is checked whenever it is used."""
    path = cache.fetch(at(server), SHA).path
    path.chmod(0o644)
    path.write_bytes(b"damaged")
    assert cache.fetch(at(server), SHA).path.read_bytes() == DATA


def test_a_full_disk_is_one_line(server: Script, cache: FileCache) -> None:
    """And what has come does not go on filling it."""
    program = """
import resource, sys
from pathlib import Path
from opperf.core.errors import UsageError
from opperf.fetching.address import Address
from opperf.fetching.cache import FileCache
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    FileCache(Path(sys.argv[1])).fetch(Address(sys.argv[2], "it"))
except UsageError as error:
    print(error)
"""
    words = [sys.executable, "-c", program, str(cache.folder), at(server).url]
    found = subprocess.run(words, capture_output=True, text=True, check=True)
    assert found.stdout.count("\n") == 1
    assert "free space, or set XDG_CACHE_HOME" in found.stdout, found
    assert partials(cache) == []


def fetch_into(folder: str, url: str) -> None:
    """Fetch in a process of its own."""
    FileCache(Path(folder)).fetch(Address(url, url), SHA)


def test_two_processes_fetch_once(server: Script, cache: FileCache) -> None:
    """The second one waits, and finds it."""
    context = multiprocessing.get_context("fork")
    target, url = str(cache.folder), at(server).url
    both = [context.Process(target=fetch_into, args=(target, url)) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join(120)
    assert [process.exitcode for process in both] == [0, 0]
    assert len(server.requests) == 1


def test_a_killed_process_leaves_no_half_file(server: Script, cache: FileCache) -> None:
    """Killed at a write that it chooses itself: the next one ends it."""
    kill = """
import os, signal, sys
from pathlib import Path
from opperf.fetching.address import Address
from opperf.fetching.cache import FileCache
names = iter(range(int(sys.argv[3])))
def hook(event, _):
    if event in {"open", "os.rename", "os.chmod", "os.mkdir"} and next(names, None) is None:
        os.kill(os.getpid(), signal.SIGKILL)
cache = FileCache(Path(sys.argv[1]))
import encodings.idna
sys.addaudithook(hook)
cache.fetch(Address(sys.argv[2], "it"))
"""
    ends = set()
    for count in range(0, 40, 4):
        folder = cache.folder / str(count)
        words = [sys.executable, "-c", kill, str(folder), at(server).url, str(count)]
        ends.add(subprocess.run(words, check=False).returncode)
        for path in folder.glob("content/*/*"):
            assert path.read_bytes() == DATA
        assert FileCache(folder).fetch(at(server)).path.read_bytes() == DATA
    assert -signal.SIGKILL in ends


def test_hashes() -> None:
    """With or without the algorithm's name."""
    for text in (SHA.value, f"sha256:{SHA.value}", SHA.value.upper()):
        assert parse_digest(text, "--flag") == SHA
    assert parse_digest(MD5.value, "--flag") == MD5
    for text in (f"md5:{SHA.value}", "sha1:" + "0" * 40, "12", "g" * 64):
        with pytest.raises(UsageError, match="is no hash; allowed: sha256"):
            parse_digest(text, "--flag")


def test_a_local_file_is_read_where_it_lies(tmp_path: Path, cache: FileCache) -> None:
    """Its hash is checked all the same."""
    path = tmp_path / "a file"
    path.write_bytes(DATA)
    address = Address(path.as_uri(), "it")
    assert cache.fetch(address, SHA).path == path
    with pytest.raises(UsageError, match="has not the hash"):
        cache.fetch(address, Digest("md5", "0" * 32))
    with pytest.raises(UsageError, match="there is no such file"):
        cache.fetch(Address(f"{path.as_uri()}s", "it"))

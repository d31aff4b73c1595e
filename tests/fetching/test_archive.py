"""Archives: what is extracted, and all that is not."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.errors import UsageError
from opperf.fetching import archive as module
from opperf.fetching.archive import extract, is_archive, stem_of
from opperf.fetching.places import workshop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HELLO = b"hello\n"


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> Any:
    """Return a header of a tar archive."""
    header = tarfile.TarInfo(name)
    header.type, header.linkname, header.size = kind, link, size
    header.mode = 0o7777
    return header


def tarred(path: Path, *members: Any, mode: str = "w:gz") -> Path:
    """Write a tar archive of headers, files among them with a text."""
    with tarfile.open(path, mode) as tar:
        for each in members:
            if each.isreg():
                each.size = len(HELLO)
            tar.addfile(each, io.BytesIO(HELLO))
    return path


def zipped(path: Path, *members: zipfile.ZipInfo | str) -> Path:
    """Write a zip archive of files with a text."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for each in members:
            file.writestr(each, HELLO)
    return path


@pytest.fixture
def extracted(tmp_path: Path) -> Callable[[Path], dict[str, Any]]:
    """Return what extracts an archive, and names its files with their texts."""

    def run(archive: Path) -> dict[str, Any]:
        folder = tmp_path / "folder"
        folder.mkdir()
        extract(archive, folder, archive.name)
        return {
            str(path.relative_to(folder)): path.readlink().as_posix() if path.is_symlink()
            else path.read_bytes() for path in folder.rglob("*") if not path.is_dir()
        }  # fmt: skip

    return run


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_archive(tmp_path: Path, extracted: Any, mode: str) -> None:
    """Files, folders and links within; nobody else may write to them."""
    path = tarred(
        tmp_path / "it.tar", member("set", tarfile.DIRTYPE), member("./set/a"), member("b"),
        member("set/up", tarfile.SYMTYPE, "../b"), member("hard", tarfile.LNKTYPE, "set/a"),
        mode=mode,
    )  # fmt: skip
    files = {"set/a": HELLO, "b": HELLO, "set/up": "../b", "hard": HELLO}
    assert extracted(path) == files
    assert (tmp_path / "folder" / "b").stat().st_mode & 0o7022 == 0


def test_a_zip_archive(tmp_path: Path, extracted: Any) -> None:
    """Programs stay programs."""
    program = zipfile.ZipInfo("bin/run")
    program.external_attr = (stat.S_IFREG | 0o755) << 16
    assert extracted(zipped(tmp_path / "it.zip", "set/a", program)) == {
        "set/a": HELLO, "bin/run": HELLO,
    }  # fmt: skip
    assert (tmp_path / "folder/bin/run").stat().st_mode & 0o111
    assert not (tmp_path / "folder/set/a").stat().st_mode & 0o111


LINK, HARD, DEVICE = tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([member("../out")], "outside of its folder: '../out'"),
        ([member("a/../../out")], "outside of its folder"),
        ([member("/out")], "outside of its folder: '/out'"),
        ([member("a\\out")], "no name of a file"),
        ([member("l", LINK, "/etc")], "a link out of its folder: 'l' to '/etc'"),
        ([member("l", LINK, "..")], "a link out of its folder"),
        ([member("d/l", LINK, "../../x")], "a link out of its folder"),
        ([member("d/l", LINK, "e/../../../x")], "a link out of its folder"),
        ([member("l", LINK, "d"), member("l/out")], "below one that is no folder"),
        ([member("l/in"), member("l", LINK, "d")], "two files of one name"),
        ([member("l", LINK, "d"), member("l")], "two files of one name"),
        ([member("h", HARD, "/etc/passwd")], "a hard link to what is no file of it"),
        ([member("l", LINK, "d"), member("h", HARD, "l")], "a hard link to what is no file of it"),
        ([member("h", HARD, "later"), member("later")], "a hard link to what is no file of it"),
        ([member("d", DEVICE)], "neither file nor folder"),
        ([member("p", tarfile.FIFOTYPE)], "neither file nor folder"),
        ([member("n" * 5000)], "no name of a file"),
    ],
)
def test_a_tar_archive_that_leads_elsewhere(
    tmp_path: Path, extracted: Any, members: list[Any], message: str
) -> None:
    """One line says what is in it."""
    with pytest.raises(UsageError, match=f"it.tgz is not extracted: .*{message}") as raised:
        extracted(tarred(tmp_path / "it.tgz", *members))
    assert "\n" not in str(raised.value)
    assert {path.name for path in tmp_path.iterdir()} == {"it.tgz", "folder"}


@pytest.mark.parametrize(
    ("name", "mode", "message"),
    [
        ("../out", stat.S_IFREG, "outside of its folder"),
        ("/out", stat.S_IFREG, "outside of its folder"),
        ("a\\..\\out", stat.S_IFREG, "no name of a file"),
        ("l", stat.S_IFLNK, "a link or a device"),
        ("d", stat.S_IFCHR, "a link or a device"),
    ],
)
def test_a_zip_archive_that_leads_elsewhere(
    tmp_path: Path, extracted: Any, name: str, mode: int, message: str
) -> None:
    """Links have no place in one at all."""
    info = zipfile.ZipInfo(name)
    info.external_attr = (mode | 0o777) << 16
    with pytest.raises(UsageError, match=message):
        extracted(zipped(tmp_path / "it.zip", info))
    assert {path.name for path in tmp_path.iterdir()} == {"it.zip", "folder"}


def test_two_files_of_one_name(tmp_path: Path, extracted: Any) -> None:
    """The second one would replace the first."""
    with pytest.warns(UserWarning, match="Duplicate"):
        path = zipped(tmp_path / "it.zip", "a", "a")
    with pytest.raises(UsageError, match="two files of one name"):
        extracted(path)


def test_an_encrypted_archive(tmp_path: Path, extracted: Any) -> None:
    """Nobody is asked for a password."""
    path = zipped(tmp_path / "it.zip", "a")
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(UsageError, match="it is encrypted"):
        extracted(path)


ZEROS = bytes(20_000_000)


def bomb_zip(path: Path) -> None:
    """Write a zip archive of 20 KB that becomes 20 MB."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("zeros", ZEROS)


def bomb_tar(path: Path) -> None:
    """Write a tar archive of the same."""
    with tarfile.open(path, "w:xz") as tar:
        header = tarfile.TarInfo("zeros")
        header.size = len(ZEROS)
        tar.addfile(header, io.BytesIO(ZEROS))


def bomb_holes(path: Path) -> None:
    """Write a header of a sparse file of a terabyte."""
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
        header = tarfile.TarInfo("holes")
        header.pax_headers = {
            "GNU.sparse.map": "0,0", "GNU.sparse.size": str(2**40), "GNU.sparse.name": "holes",
        }  # fmt: skip
        tar.addfile(header)


def bomb_after(path: Path) -> None:
    """Write an archive whose compressed stream goes on behind its end."""
    import gzip

    with gzip.open(path, "wb") as file:
        file.write(bytes(1024) + ZEROS)


@pytest.mark.parametrize("bomb", [bomb_zip, bomb_tar, bomb_holes, bomb_after])
def test_a_bomb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extracted: Any, bomb: Callable[[Path], None]
) -> None:
    """It ends where more has come of an archive than data become."""
    monkeypatch.setattr(module, "FREE", 100_000)
    bomb(tmp_path / "bomb")
    with pytest.raises(UsageError, match="it becomes more than"):
        extracted(tmp_path / "bomb")
    files = (tmp_path / "folder").rglob("*")
    assert sum(path.stat().st_size for path in files) < len(ZEROS)


def test_a_long_header(tmp_path: Path, extracted: Any) -> None:
    """It would be read into memory as a whole."""
    with tarfile.open(tmp_path / "it.tgz", "w:gz", format=tarfile.PAX_FORMAT) as tar:
        header = tarfile.TarInfo("a")
        header.pax_headers = {"comment": "a" * 100_000}
        tar.addfile(header)
    with pytest.raises(UsageError, match="a header of 100"):
        extracted(tmp_path / "it.tgz")


@pytest.mark.parametrize("name", ["it.zip", "it.tgz", "it.tar", "it.tar.xz"])
def test_a_damaged_archive(tmp_path: Path, name: str) -> None:
    """Cut off or changed anywhere: one line, or all files are as they were packed."""
    mode = {"it.tgz": "w:gz", "it.tar": "w", "it.tar.xz": "w:xz"}.get(name)
    path = tmp_path / name
    names = [f"folder/{at}" for at in range(20)]
    if mode:
        tarred(path, *map(member, names), mode=mode)
    else:
        zipped(path, *names)
    data = path.read_bytes()
    step = max(len(data) // 40, 1)
    said = []
    for at in range(0, len(data), step):
        changed = bytearray(data)
        changed[at] ^= 0x55
        for damaged in (data[:at], bytes(changed)):
            path.write_bytes(damaged)
            with workshop(tmp_path / "made") as folder:
                try:
                    extract(path, folder, name)
                except UsageError as error:
                    said.append(str(error))
    assert len(said) > (4 if name == "it.tar" else 20)  # which has no check sum of its content
    assert "\n" not in "".join(said)


def test_names_of_archives() -> None:
    """The longest end counts; one file that is compressed is no archive."""
    assert stem_of("cifar-10-binary.tar.gz") == "cifar-10-binary"
    assert stem_of("A.TGZ") == "A"
    assert not is_archive("train-images-idx3-ubyte.gz")
    assert not is_archive("zip")

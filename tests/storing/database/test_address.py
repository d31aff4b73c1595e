from pathlib import Path

import pytest

from opperf.core.errors import UsageError
from opperf.storing.database.address import file_system, kind_of, parse_address
from opperf.storing.database.connection import create_store


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("mysql://host/db", "unknown database; expected a file"),
        ("://", "is no URL"),
        ("sqlite://", "is no file"),
        (":memory:", "is no file"),
        ("postgresql://me:secret@host:port/db", "is no URL"),
    ],
)
def test_an_address_of_another_kind_is_refused(given: str, message: str) -> None:
    """With what is expected, and never with its password."""
    with pytest.raises(UsageError, match=message) as caught:
        parse_address(given)
    assert "secret" not in str(caught.value)


MOUNTS = """\
21 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 21 0:40 / /home rw - nfs4 server:/home rw
31 30 254:1 / /home/me/local rw - xfs /dev/vdb rw
32 21 0:41 / /mnt/two\\040words rw - cifs //server/share rw
""".splitlines()


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/", "ext4"),
        ("/homes", "ext4"),
        ("/home/me", "nfs4"),
        ("/home/me/local/deep", "xfs"),
        ("/mnt/two words", "cifs"),
    ],
)
def test_the_innermost_mount_says_the_file_system(folder: str, kind: str) -> None:
    """As in /proc/self/mountinfo, where a space is written in octal."""
    assert kind_of(Path(folder), MOUNTS) == kind


def test_sqlite_on_a_network_file_system_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the reason and the remedy, before a file is made."""
    assert file_system(tmp_path) is not None
    monkeypatch.setattr("opperf.storing.database.address.file_system", lambda _folder: "nfs4")
    with pytest.raises(UsageError, match=r"network file system nfs4, whose locks.*PostgreSQL"):
        create_store(str(tmp_path / "results.db"))
    assert list(tmp_path.iterdir()) == []

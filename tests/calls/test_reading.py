"""The forms of calls are told apart by what a file holds, not by its name."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from opperf.calls.format import content
from opperf.calls.reading.reading import read_calls
from opperf.core.errors import UsageError
from tests.calls import documents

if TYPE_CHECKING:
    from pathlib import Path


def refusal(path: Path) -> str:
    """Return how a file is refused, in one line."""
    with pytest.raises(UsageError) as raised:
        read_calls(path)
    assert "\n" not in str(raised.value)
    return str(raised.value).replace(str(path), "FILE")


def test_a_packed_file_is_read(tmp_path: Path) -> None:
    """As the profiler writes them, where it is asked to."""
    path = tmp_path / "toy.gz"
    path.write_bytes(gzip.compress(documents.data()))
    assert read_calls(path).network == "toy"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "FILE: empty, and not a calls file of opperf, a trace of PyTorch's profiler, or"),
        (b" \n", "FILE: empty, and not"),
        (b"\x80\x05pickled", "FILE: not a calls file of opperf"),
        (b"[1]", "FILE: not a calls file of opperf"),
        (b'{"a": 1}', "FILE: no calls file"),
        (b"\x1f\x8b\x08\x00", "FILE: damaged by gzip's rules: "),
        (gzip.compress(documents.data(), mtime=0)[:-9], "FILE: damaged by gzip's rules: "),
        (gzip.compress(b"x" * 99, mtime=0)[:20] + b"\xff" * 20, "FILE: damaged by gzip's rules: "),
    ],
)
def test_what_is_none_of_them_is_named(tmp_path: Path, data: bytes, reason: str) -> None:
    """In one line that says what is read."""
    path = tmp_path / "calls"
    path.write_bytes(data)
    assert refusal(path).startswith(reason)


def test_what_is_packed_is_unpacked_no_further_than_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A megabyte may hold a gigabyte."""
    monkeypatch.setattr(content, "LARGEST", 2**20)
    path = tmp_path / "bomb"
    path.write_bytes(gzip.compress(b"\n" * 2**22))
    assert refusal(path) == "FILE: larger than 1 MiB"


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    """With the reason of the system."""
    assert refusal(tmp_path / "absent") == "cannot read FILE: No such file or directory"
    assert refusal(tmp_path) == "cannot read FILE: Is a directory"

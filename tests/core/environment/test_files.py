"""Reading /proc and /sys, where any file may be missing, empty or odd."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.core.environment.files import read_fields, read_integer, read_list, read_text

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("0\n", {0}),
        ("0-3,8\n", {0, 1, 2, 3, 8}),
        ("0-1,4-5", {0, 1, 4, 5}),
        ("", set()),
        ("none", set()),
        ("1-", {1}),
    ],
)
def test_kernel_list(tmp_path: Path, text: str, numbers: set[int]) -> None:
    """A kernel list is a set of numbers, and text that is no list is the empty set."""
    path = tmp_path / "online"
    path.write_text(text, encoding="utf-8")
    assert read_list(path) == numbers


def test_missing_file(tmp_path: Path) -> None:
    """A file that does not exist gives nothing, and no exception."""
    path = tmp_path / "missing"
    assert (read_text(path), read_integer(path), read_fields(path)) == (None, None, {})


def test_directory_in_place_of_a_file(tmp_path: Path) -> None:
    """A directory where a file is expected gives nothing, and no exception."""
    assert read_text(tmp_path) is None


def test_path_that_cannot_exist(tmp_path: Path) -> None:
    """A path that no file system allows gives nothing, and no exception."""
    assert read_text(tmp_path / "a\0b") is None


def test_bytes_that_are_not_text(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are replaced, and the rest is kept."""
    (tmp_path / "odd").write_bytes(b"a\xffb\n")
    assert read_text(tmp_path / "odd") == "a\ufffdb"


def test_fields_end_at_the_first_empty_line(tmp_path: Path) -> None:
    """Only the first of several blocks is read, so the first processor of /proc/cpuinfo."""
    (tmp_path / "cpuinfo").write_text("processor\t: 0\na : b: c\n\nprocessor\t: 1\n")
    assert read_fields(tmp_path / "cpuinfo") == {"processor": "0", "a": "b: c"}

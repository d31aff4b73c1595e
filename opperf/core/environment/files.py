"""Reading /proc and /sys, where any file may be missing, empty or odd; nothing here raises."""

from __future__ import annotations

from pathlib import Path

ROOT = Path("/")
FIRST_PROCESSOR = 16384
"""Bytes of /proc/cpuinfo that hold the first processor; the kernel is slow to write the rest."""


def read_text(path: Path, limit: int = -1) -> str | None:
    """Return the file's first `limit` bytes (all by default) stripped, None if there are none."""
    try:
        with path.open("rb") as file:
            return file.read(limit).decode("utf-8", errors="replace").strip() or None
    except (OSError, ValueError):
        return None


def read_integer(path: Path, base: int = 10) -> int | None:
    """Return the number the file holds, or None if it holds none."""
    try:
        return int(read_text(path) or "", base)
    except ValueError:
        return None


def read_fields(path: Path, separator: str = ":", limit: int = -1) -> dict[str, str]:
    """Return the file's `name: value` lines up to the first empty line, {} if there is none."""
    text = (read_text(path, limit) or "").partition("\n\n")[0]
    parts = (line.partition(separator) for line in text.splitlines())
    return {name.strip(): " ".join(value.split()) for name, _, value in parts}


def read_list(path: Path) -> set[int]:
    """Return the numbers of a kernel list such as `0-3,8`, none if the file is no such list."""
    try:
        parts = [item.partition("-") for item in (read_text(path) or "").split(",") if item]
        ranges = [range(int(first), int(last or first) + 1) for first, _, last in parts]
        return {number for numbers in ranges for number in numbers}
    except ValueError:
        return set()


def encodable(text: str) -> str:
    """Return the text with a question mark for every byte that is not UTF-8."""
    return text.encode("utf-8", errors="replace").decode()

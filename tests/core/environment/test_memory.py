"""The memory: how much there is, and how its pages are placed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.core.environment.memory import memory_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Machine = Callable[[Mapping[str, str]], Path]

RANDOMIZE = "proc/sys/kernel/randomize_va_space"


def test_nothing_known(tmp_path: Path) -> None:
    """Without /proc and /sys every fact is None."""
    assert memory_facts(tmp_path) == {"memory_bytes": None, "huge_pages": None, "aslr": None}


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("MemTotal:       24684084 kB\nMemFree: 1 kB", 25276502016),
        ("MemTotal: much", None),
        ("MemFree: 1 kB", None),
    ],
)
def test_memory_is_in_bytes(machine: Machine, text: str, size: int | None) -> None:
    """The kernel's kB are 1024 bytes each."""
    assert memory_facts(machine({"proc/meminfo": text}))["memory_bytes"] == size


def test_huge_pages(machine: Machine) -> None:
    """The policy in brackets is the one that holds."""
    root = machine({"sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never"})
    assert memory_facts(root)["huge_pages"] == "madvise"


@pytest.mark.parametrize(("personality", "level"), [("00000000", 2), ("00040000", 0), ("odd", 2)])
def test_aslr(machine: Machine, personality: str, level: int) -> None:
    """The kernel's level holds unless this process has switched randomization off for itself."""
    root = machine({RANDOMIZE: "2", "proc/self/personality": personality})
    assert memory_facts(root)["aslr"] == level

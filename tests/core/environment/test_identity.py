"""The machine's key: the same for as long as the machine is."""

from __future__ import annotations

import re

import pytest

from opperf.core.environment import machine_key

FACTS: dict[str, object] = {
    "cpu": "AMD EPYC 7B13",
    "architecture": "x86_64",
    "physical_cores": 8,
    "cores": 16,
    "sockets": 1,
    "memory_bytes": 64 * 2**30,
    "gpu": ["NVIDIA H200"],
}


def test_form() -> None:
    """The key is 16 hexadecimal digits, and the same from run to run."""
    assert machine_key(FACTS) == "a088bdfa93b1fea4"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cpu", "AMD EPYC 9654"),
        ("architecture", "aarch64"),
        ("physical_cores", 16),
        ("cores", 8),
        ("sockets", 2),
        ("sockets", None),
        ("memory_bytes", 128 * 2**30),
        ("gpu", []),
        ("gpu", ["NVIDIA H200", "NVIDIA H200"]),
    ],
)
def test_another_machine(name: str, value: object) -> None:
    """Each stable fact makes another key."""
    assert machine_key(FACTS | {name: value}) != machine_key(FACTS)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("memory_bytes", 64 * 2**30 - 200_000_000),
        ("load_average", [1.0, 2.0, 3.0]),
        ("kernel", "6.1"),
        ("governor", "performance"),
        ("driver", "580.1"),
        ("affinity", [0]),
    ],
)
def test_the_same_machine(name: str, value: object) -> None:
    """What changes while the machine stays the same does not change the key."""
    assert machine_key(FACTS | {name: value}) == machine_key(FACTS)


def test_nothing_known() -> None:
    """A machine that tells nothing still has a key."""
    assert re.fullmatch("[0-9a-f]{16}", machine_key({}))

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opperf.core.environment import collect, machine_key
from opperf.core.environment.identity import host_name
from opperf.core.environment.kind import kind_key, kind_name, memory_class
from opperf.core.errors import UsageError

FACTS: dict[str, Any] = {
    "cpu": "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", "architecture": "x86_64", "cores": 40,
    "physical_cores": 20, "sockets": 1, "caches": {"L2": 2**20}, "hypervisor": False, "gpu": [],
    "instruction_sets": ["avx2", "avx512f"], "memory_bytes": 187 * 2**30,
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({}, "Intel Xeon Gold 6248 x40, 256 GiB"),
        ({"cpu": "AMD EPYC 7B13 64-Core Processor", "cores": 128}, "AMD EPYC 7B13 x128, 256 GiB"),
        ({"gpu": ["NVIDIA H100"] * 2}, "Intel Xeon Gold 6248 x40, 256 GiB, NVIDIA H100 x2"),
        ({"cpu": None, "cores": None, "memory_bytes": None, "gpu": None}, "unknown processor"),
    ],
)
def test_a_kind_is_called_by_what_it_is(changes: dict[str, Any], name: str) -> None:
    """Without what sellers add."""
    assert kind_name({**FACTS, **changes}) == name


@pytest.mark.parametrize(
    "changes",
    [
        {"instruction_sets": ["avx2"]}, {"memory_bytes": 2**39}, {"gpu": ["NVIDIA H100"]},
        {"hypervisor": True}, {"cores": 20}, {"caches": {"L2": 2**21}},
    ],
)  # fmt: skip
def test_what_changes_times_makes_another_kind(changes: dict[str, Any]) -> None:
    """Each of these by itself."""
    assert kind_key({**FACTS, **changes}) != kind_key(FACTS)


@pytest.mark.parametrize(
    "changes",
    [
        {"host": "a7"}, {"machine_key": "another"}, {"memory_bytes": 188 * 2**30 + 5},
        {"instruction_sets": ["avx512f", "avx2"]}, {"framework_version": "2.0"}, {"kernel": "6.18"},
        {"load_average": [9.0]}, {"driver": "999"},
    ],
)  # fmt: skip
def test_what_hosts_may_differ_in_does_not(changes: dict[str, Any]) -> None:
    """Names, versions, load, and a little memory."""
    assert kind_key({**FACTS, **changes}) == kind_key(FACTS)


@given(st.integers(0, 12), st.floats(0.02, 0.06))
def test_a_class_of_memory_is_what_is_built_in(power: int, held_back: float) -> None:
    """The kernel manages some per cent less, and it varies how many."""
    assert memory_class(int(2**power * 2**30 * (1 - held_back))) == 2**power
    assert memory_class(int(3 * 2**power * 2**30 * (1 - held_back))) == 4 * 2**power


@pytest.mark.parametrize("size", [None, 0, -1, "much", True, 1.5])
def test_a_memory_of_no_size_has_no_class(size: object) -> None:
    """A record may say anything."""
    assert memory_class(size) is None


def test_a_name_makes_another_machine_of_the_same_kind() -> None:
    """Machines that are alike are told apart by their names alone; without, keys are as before."""
    plain, named = (collect(environ=environ) for environ in ({}, {"OPPERF_HOST": "a7"}))
    assert (plain["host"], named["host"]) == (None, "a7")
    assert machine_key(plain) == machine_key({**plain, "host": None}) != machine_key(named)
    without = {name: value for name, value in plain.items() if name != "host"}
    assert machine_key(without) == machine_key(plain)
    assert kind_key(plain) == kind_key(named)


@pytest.mark.parametrize("name", ["a b", "-a", "a\n", "ü", "a" * 65, "../x", "\x1b[31m"])
def test_what_is_no_name_is_refused(name: str) -> None:
    """With what a name may be."""
    with pytest.raises(UsageError, match=r"OPPERF_HOST .* at most 64 letters, digits"):
        host_name({"OPPERF_HOST": name})


def test_an_empty_name_is_none() -> None:
    """As for every variable of opperf."""
    assert host_name({"OPPERF_HOST": ""}) is None
    assert host_name({"OPPERF_HOST": "node-3.rack_2"}) == "node-3.rack_2"

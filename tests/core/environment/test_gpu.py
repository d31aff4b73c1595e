"""The GPUs: their names and their driver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.core.environment.gpu import gpu_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Machine = Callable[[Mapping[str, str]], Path]

GPUS = "proc/driver/nvidia/gpus"


def test_no_gpu(tmp_path: Path) -> None:
    """Without the kernel module there is no GPU and no driver."""
    facts = gpu_facts(tmp_path)
    assert (facts["gpu"], facts["driver"], facts["gpu_state"]) == ([], None, None)


def test_names_in_bus_order(machine: Machine) -> None:
    """One name per GPU, in the order of their addresses."""
    root = machine(
        {
            f"{GPUS}/0000:9d:00.0/information": "Model: \t\t NVIDIA A100\nIRQ: 3",
            f"{GPUS}/0000:0f:00.0/information": "Model: \t\t NVIDIA H200\nIRQ: 2",
        }
    )
    assert gpu_facts(root)["gpu"] == ["NVIDIA H200", "NVIDIA A100"]


@pytest.mark.parametrize(
    "line",
    [
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu Feb 22 01:44:30 UTC 2024",
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.54.14  Release Build  (me)",
    ],
)
def test_driver_in_a_container(machine: Machine, line: str) -> None:
    """The closed and the open kernel module both tell their version."""
    root = machine({"proc/driver/nvidia/version": f"{line}\nGCC version: gcc version 12.3.0"})
    assert gpu_facts(root)["driver"] == "550.54.14"


def test_driver_from_the_module(machine: Machine) -> None:
    """The module's own version comes first."""
    root = machine({"sys/module/nvidia/version": "580.1", "proc/driver/nvidia/version": "odd"})
    assert gpu_facts(root)["driver"] == "580.1"

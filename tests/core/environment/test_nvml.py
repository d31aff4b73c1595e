"""NVML in whatever state it is found: missing, broken, older, newer."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.environment.gpu import gpu_facts
from opperf.core.environment.nvml import (
    NvmlValue,
    busy_share,
    driver_version,
    gpu_state,
    gpu_states,
    memory_in_use,
    start,
)

if TYPE_CHECKING:
    from pathlib import Path


class NVMLError(Exception):
    """What the package raises."""


def refuse(*_: object) -> Any:
    """Do as a driver does that does not offer something."""
    raise NVMLError("Not Supported")


def always(value: Any) -> Any:
    """Return a function that answers the same whatever it is asked."""
    return lambda *_: value


def nvml(**functions: Any) -> Any:
    """Return a package with one GPU, and more or other functions where they are given."""
    found = {
        "nvmlInit": always(None),
        "nvmlDeviceGetCount": always(1),
        "nvmlDeviceGetHandleByIndex": "handle {}".format,
        "nvmlDeviceGetHandleByUUID": lambda uuid: uuid,
        "nvmlDeviceGetName": always("NVIDIA H200"),
        "nvmlDeviceGetUUID": always("GPU-1"),
        "nvmlDeviceGetClockInfo": lambda _, kind: {1: 1980, 2: 3201}[kind],
        "nvmlDeviceGetMaxClockInfo": always(1980),
        "nvmlDeviceGetCurrentClocksEventReasons": always(0b101),
        "nvmlDeviceGetPowerUsage": always(75_500),
        "nvmlDeviceGetEnforcedPowerLimit": always(700_000),
        "nvmlDeviceGetTemperature": always(31),
        "nvmlDeviceGetMemoryInfo": always(SimpleNamespace(used=5, total=10)),
        "nvmlSystemGetDriverVersion": always("580.1"),
    }
    return SimpleNamespace(**{**found, **functions})


def test_the_state_of_a_gpu() -> None:
    """Hertz, watts, bytes, and words for the bits of the reasons."""
    states = gpu_states(NvmlValue(nvml()))
    assert states == NvmlValue(
        [
            {
                "name": "NVIDIA H200",
                "uuid": "GPU-1",
                "sm_clock": 1980e6,
                "sm_clock_limit": 1980e6,
                "memory_clock": 3201e6,
                "throttle_reasons": ["gpu_idle", "sw_power_cap"],
                "power": 75.5,
                "power_limit": 700.0,
                "temperature": 31,
                "memory_used": 5,
                "memory_total": 10,
            }
        ]
    )


def test_the_memory_of_all_gpus_together() -> None:
    """A sum over those that tell; why not where none does."""
    two = nvml(nvmlDeviceGetCount=always(2))
    assert memory_in_use(NvmlValue(two)) == NvmlValue(10)
    silent = nvml(nvmlDeviceGetMemoryInfo=refuse)
    assert memory_in_use(NvmlValue(silent)) == NvmlValue(None, "NVML tells no GPU's memory")
    assert memory_in_use(NvmlValue(None, "none here")) == NvmlValue(None, "none here")


def test_how_busy_all_gpus_are() -> None:
    """A mean over those that tell; why not where none does."""
    rates = iter([20, 60])
    two = nvml(
        nvmlDeviceGetCount=always(2),
        nvmlDeviceGetUtilizationRates=lambda _: SimpleNamespace(gpu=next(rates), memory=1),
    )
    assert busy_share(NvmlValue(two)) == NvmlValue(40)
    assert busy_share(NvmlValue(nvml())) == NvmlValue(None, "NVML tells no GPU's utilization")
    assert busy_share(NvmlValue(None, "none here")) == NvmlValue(None, "none here")


def test_an_older_package_calls_the_reasons_otherwise_and_gives_bytes() -> None:
    """What it has no function for at all is None."""
    package = nvml(
        nvmlDeviceGetName=always(b"Tesla V100"),
        nvmlDeviceGetCurrentClocksThrottleReasons=always(1 << 6),
    )
    del package.nvmlDeviceGetCurrentClocksEventReasons
    del package.nvmlDeviceGetEnforcedPowerLimit
    (state,) = gpu_states(NvmlValue(package)).value
    assert state["name"] == "Tesla V100"
    assert state["throttle_reasons"] == ["hw_thermal_slowdown"]
    assert state["power_limit"] is None


@pytest.mark.parametrize(
    ("function", "field"),
    [
        ("nvmlDeviceGetPowerUsage", "power"),
        ("nvmlDeviceGetClockInfo", "sm_clock"),
        ("nvmlDeviceGetMemoryInfo", "memory_used"),
        ("nvmlDeviceGetCurrentClocksEventReasons", "throttle_reasons"),
        ("nvmlDeviceGetName", "name"),
    ],
)
def test_what_a_gpu_does_not_tell_is_none(function: str, field: str) -> None:
    """One refusal costs one field, nothing else."""
    (state,) = gpu_states(NvmlValue(nvml(**{function: refuse}))).value
    assert state[field] is None
    assert state["temperature"] == 31


def raising(error: Exception) -> Any:
    """Return a function that raises."""

    def load(_: str) -> Any:
        raise error

    return load


@pytest.mark.parametrize(
    ("load", "reason"),
    [
        (
            raising(ModuleNotFoundError("No module named 'pynvml'")),
            "nvidia-ml-py is not installed: pip install 'opperf[gpu]'",
        ),
        (
            lambda _: nvml(nvmlInit=raising(NVMLError())),
            "NVML cannot be used: TypeError",
        ),
        (
            lambda _: nvml(nvmlInit=refuse),
            "NVML cannot be used: NVMLError: Not Supported",
        ),
        (lambda _: SimpleNamespace(), "NVML cannot be used: AttributeError"),
    ],
    ids=["missing", "another signature", "no library", "another package"],
)
def test_nvml_that_does_not_start_is_one_line(load: Any, reason: str) -> None:
    """Missing or of another version, it is a reason and no crash."""
    found = start(load)
    assert found.value is None
    assert str(found.reason).startswith(reason)
    assert "\n" not in str(found.reason)
    assert gpu_states(found) == gpu_state(found, "GPU-1") == found
    assert driver_version(found) is None


def test_nvml_that_lists_nothing_is_one_line() -> None:
    """GPUs, or the one that is asked for, may not be found."""
    broken = NvmlValue(nvml(nvmlDeviceGetCount=refuse, nvmlDeviceGetHandleByUUID=refuse))
    assert gpu_states(broken).reason == "NVML lists no GPUs: NVMLError: Not Supported"
    assert gpu_state(broken, "GPU-1").reason == "NVML does not know GPU-1: NVMLError: Not Supported"


def test_one_gpu_is_found_by_its_uuid() -> None:
    """As bytes, which every version of the package takes."""
    found = gpu_state(NvmlValue(nvml(nvmlDeviceGetUUID=lambda handle: handle)), "GPU-7")
    assert found.value["uuid"] == "GPU-7"


def test_without_a_gpu_nvml_is_left_alone(tmp_path: Path) -> None:
    """Setting it up takes time, and may fail loudly."""
    facts = gpu_facts(tmp_path, load=lambda: pytest.fail("was set up"))
    assert facts["gpu_state"] is None
    assert facts["gpu_state_reason"] == "the kernel knows no NVIDIA GPU"


def test_where_proc_is_not_the_machine_s_own_nvml_tells_the_names(tmp_path: Path) -> None:
    """A container may show the device alone."""
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/nvidiactl").touch()
    facts = gpu_facts(tmp_path, load=lambda: NvmlValue(nvml()))
    assert facts["gpu"] == ["NVIDIA H200"]
    assert facts["driver"] == "580.1"
    assert facts["gpu_state_reason"] is None

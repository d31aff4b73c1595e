"""The state of the GPUs by NVML, through the package nvidia-ml-py where that is installed.

Its versions differ in what they offer, and so do GPUs and drivers: what cannot be read is None.
Source: the NVML reference, docs.nvidia.com/deploy/nvml-api.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from statistics import mean
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

MODULE = "pynvml"
MEGA = 1_000_000
GRAPHICS_CLOCK, MEMORY_CLOCK = 1, 2
"""NVML_CLOCK_SM and NVML_CLOCK_MEM."""
TEMPERATURE_OF_GPU = 0
THROTTLE_REASONS = (
    "gpu_idle",
    "applications_clocks_setting",
    "sw_power_cap",
    "hw_slowdown",
    "sync_boost",
    "sw_thermal_slowdown",
    "hw_thermal_slowdown",
    "hw_power_brake_slowdown",
    "display_clock_setting",
)
"""What each bit of NVML's clock event reasons (earlier: throttle reasons) stands for."""


class NvmlValue(NamedTuple):
    """What was read, or None and the reason in one line."""

    value: Any
    reason: str | None = None


@cache
def load_nvml() -> NvmlValue:
    """Return NVML, set up once a process, or why there is none."""
    return start(import_module)


def start(load: Callable[[str], Any]) -> NvmlValue:
    """Import the package and set NVML up; whatever goes wrong becomes a reason."""
    try:
        nvml = load(MODULE)
        nvml.nvmlInit()
    except ImportError:
        return NvmlValue(None, "nvidia-ml-py is not installed: pip install 'opperf[gpu]'")
    except Exception as error:  # noqa: BLE001 - another version may raise anything
        return NvmlValue(None, f"NVML cannot be used: {one_line(error)}")
    return NvmlValue(nvml)


def gpu_states(nvml: NvmlValue) -> NvmlValue:
    """Return the state of each GPU, in NVML's order, or why it cannot be told."""
    handles = gpu_handles(nvml)
    if handles.value is None:
        return handles
    return NvmlValue([state(nvml.value, handle) for handle in handles.value])


def gpu_handles(nvml: NvmlValue) -> NvmlValue:
    """Return NVML's handle of each GPU, in its order, or why there are none."""
    if nvml.value is None:
        return nvml
    try:
        count = nvml.value.nvmlDeviceGetCount()
        return NvmlValue([nvml.value.nvmlDeviceGetHandleByIndex(index) for index in range(count)])
    except Exception as error:  # noqa: BLE001 - another version may raise anything
        return NvmlValue(None, f"NVML lists no GPUs: {one_line(error)}")


def gpu_state(nvml: NvmlValue, uuid: str) -> NvmlValue:
    """Return the state of the GPU with this UUID, or why it cannot be told."""
    if nvml.value is None:
        return nvml
    try:
        handle = nvml.value.nvmlDeviceGetHandleByUUID(uuid.encode())
    except Exception as error:  # noqa: BLE001 - another version may raise anything
        return NvmlValue(None, f"NVML does not know {uuid}: {one_line(error)}")
    return NvmlValue(state(nvml.value, handle))


def memory_in_use(nvml: NvmlValue) -> NvmlValue:
    """Return the bytes in use on all GPUs together, whoever uses them, or why it cannot be told."""
    handles = gpu_handles(nvml)
    if handles.value is None:
        return handles
    found = [read(nvml.value, "nvmlDeviceGetMemoryInfo", handle) for handle in handles.value]
    used = [memory.used for memory in found if memory is not None]
    return NvmlValue(sum(used)) if used else NvmlValue(None, "NVML tells no GPU's memory")


def busy_share(nvml: NvmlValue) -> NvmlValue:
    """Return the percentage of time in which a kernel ran, the mean of all GPUs, or why not."""
    handles = gpu_handles(nvml)
    if handles.value is None:
        return handles
    found = [read(nvml.value, "nvmlDeviceGetUtilizationRates", handle) for handle in handles.value]
    rates = [rates.gpu for rates in found if rates is not None]
    return NvmlValue(mean(rates)) if rates else NvmlValue(None, "NVML tells no GPU's utilization")


def state(nvml: Any, handle: Any) -> dict[str, object]:
    """Return what one GPU says of itself: hertz, watts, bytes, degrees Celsius."""
    memory = read(nvml, "nvmlDeviceGetMemoryInfo", handle)
    power = read(nvml, "nvmlDeviceGetPowerUsage", handle)
    limit = read(nvml, "nvmlDeviceGetEnforcedPowerLimit", handle)
    return {
        "name": text(read(nvml, "nvmlDeviceGetName", handle)),
        "uuid": text(read(nvml, "nvmlDeviceGetUUID", handle)),
        "sm_clock": hertz(read(nvml, "nvmlDeviceGetClockInfo", handle, GRAPHICS_CLOCK)),
        "sm_clock_limit": hertz(read(nvml, "nvmlDeviceGetMaxClockInfo", handle, GRAPHICS_CLOCK)),
        "memory_clock": hertz(read(nvml, "nvmlDeviceGetClockInfo", handle, MEMORY_CLOCK)),
        "throttle_reasons": throttle_reasons(nvml, handle),
        "power": None if power is None else power / 1000,
        "power_limit": None if limit is None else limit / 1000,
        "temperature": read(nvml, "nvmlDeviceGetTemperature", handle, TEMPERATURE_OF_GPU),
        "memory_used": getattr(memory, "used", None),
        "memory_total": getattr(memory, "total", None),
    }


def driver_version(nvml: NvmlValue) -> str | None:
    """Return the driver's version."""
    return text(read(nvml.value, "nvmlSystemGetDriverVersion"))


def throttle_reasons(nvml: Any, handle: Any) -> list[str] | None:
    """Return why the clock is not as high as it could be; the newer name of the call goes first."""
    for name in ("EventReasons", "ThrottleReasons"):
        bits = read(nvml, f"nvmlDeviceGetCurrentClocks{name}", handle)
        if bits is not None:
            return [name for bit, name in enumerate(THROTTLE_REASONS) if bits >> bit & 1]
    return None


def read(nvml: Any, name: str, *arguments: object) -> Any:
    """Return what a function of NVML says, None where it is missing or refuses."""
    try:
        return getattr(nvml, name)(*arguments)
    except Exception:  # noqa: BLE001 - a missing function, or any error of NVML's own
        return None


def hertz(megahertz: float | None) -> float | None:
    """Return a clock rate in hertz."""
    return None if megahertz is None else megahertz * MEGA


def text(value: str | bytes | None) -> str | None:
    """Return text; versions before 11.5 give bytes."""
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def one_line(error: Exception) -> str:
    """Return the kind of an error and the first line of what it says."""
    said = (str(error).splitlines() or [""])[0]
    return f"{type(error).__name__}: {said}".removesuffix(": ")

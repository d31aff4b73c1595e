"""Which GPUs there are, what keeps them from being used, and what is recorded of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.environment.nvml import NvmlValue
from opperf.core.errors import UsageError
from opperf.core.frameworks.failure import classify
from opperf.core.frameworks.registry import find_framework
from opperf.pytorch_benchmarks.cuda import find_gpu
from opperf.pytorch_benchmarks.cuda.settings import forbid_tf32, settings, switch

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.pytorch_benchmarks.cuda import Gpu

    Make = Callable[..., Any]

CUDA_ERROR = """CUDA error: out of memory
CUDA kernel errors might be asynchronously reported at some other API call.
For debugging consider passing CUDA_LAUNCH_BLOCKING=1
Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions."""
ALLOCATOR = "CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has a total capacity of 8 GiB"


@pytest.mark.parametrize(
    ("count", "built", "name", "words"),
    [
        (2, "13.0", "cuda:7", "device 'cuda:7': 2 CUDA devices found, cuda:0 to cuda:1"),
        (1, "13.0", "cuda:1", "device 'cuda:1': 1 CUDA device found, cuda:0"),
        (0, "13.0", "cuda:0", "device 'cuda:0': no CUDA device found"),
        (0, None, "cuda:0", "no CUDA device found: this torch, 2.13.0+cpu, is built without CUDA"),
        (1, "13.0", "cuda:x", "device 'cuda:x': pytorch is measured on: cpu, cuda:N"),
        (1, "13.0", "tpu:0", "device 'tpu:0': pytorch is measured on: cpu, cuda:N"),
    ],
)
def test_a_gpu_that_is_not_there_is_refused(
    make_torch: Make, count: int, built: str | None, name: str, words: str
) -> None:
    """In one line that says how many there are; nothing falls back to the CPU."""
    with pytest.raises(UsageError) as refusal:
        find_gpu(make_torch(count, built=built), name)
    assert str(refusal.value).endswith(words)
    assert "\n" not in str(refusal.value)


def test_a_gpu_that_cannot_be_used_is_refused(make_torch: Make) -> None:
    """Where another process has taken all of its memory, say: CUDA's own line, without advice."""
    with pytest.raises(UsageError) as refusal:
        find_gpu(make_torch(1, broken=CUDA_ERROR), "cuda:0")
    assert str(refusal.value) == "device 'cuda:0': cannot be used: CUDA error: out of memory"


def test_a_gpu_is_found_by_its_index(make_torch: Make) -> None:
    """The second of two is the second."""
    assert find_gpu(make_torch(2), "cuda:1").index == 1


@pytest.mark.parametrize("said", [CUDA_ERROR, ALLOCATOR])
def test_a_gpu_without_memory_is_a_status(said: str) -> None:
    """A row that does not fit beside what others hold is out_of_memory, with CUDA's own line."""
    kind = type("OutOfMemoryError", (RuntimeError,), {})
    status, reason = classify(kind(said), find_framework("pytorch"), "float32")
    assert (status, reason) == ("out_of_memory", f"OutOfMemoryError: {said.splitlines()[0]}")


def test_tf32_is_forbidden_and_recorded() -> None:
    """By default cuDNN would compute float32 convolutions in ten bits; a record says what was."""
    cudnn = SimpleNamespace(
        allow_tf32=True, benchmark=False, deterministic=False, version=lambda: 91002
    )
    matmul = SimpleNamespace(allow_tf32=True, fp32_precision="none")
    torch = SimpleNamespace(
        version=SimpleNamespace(cuda="13.0"),
        backends=SimpleNamespace(cudnn=cudnn, cuda=SimpleNamespace(matmul=matmul)),
        are_deterministic_algorithms_enabled=lambda: False,
    )
    forbid_tf32(torch)
    assert settings(torch) == {
        "cuda": "13.0",
        "cudnn": 91002,
        "matmul_allow_tf32": False,
        "matmul_fp32_precision": "none",
        "matmul_allow_fp16_reduced_precision": None,
        "matmul_allow_bf16_reduced_precision": None,
        "cudnn_allow_tf32": False,
        "cudnn_benchmark": False,
        "cudnn_deterministic": False,
        "deterministic_algorithms": False,
    }


def test_a_switch_that_another_version_refuses_is_none() -> None:
    """Torch raises where its newer and older switches were mixed, and JSON holds words only."""

    class Refusing:
        @property
        def allow_tf32(self) -> bool:
            raise RuntimeError("mix of the legacy and new APIs")

    assert switch(Refusing(), "allow_tf32") is None
    assert switch(SimpleNamespace(precision=1.5), "precision") == "1.5"


def test_the_settings_of_this_torch_are_recorded() -> None:
    """Whatever its build, the switches are among its facts, ready for JSON."""
    framework = find_framework("pytorch")
    if not framework.is_installed():
        pytest.skip("pytorch is not installed")
    framework.load(1)
    found: Any = framework.facts()["settings"]
    assert found["cudnn_benchmark"] is False
    assert found["matmul_allow_tf32"] is False
    assert "cuda" in found


def test_a_gpu_s_state_is_recorded_with_what_slowed_it(
    cuda: Any, gpu: Gpu, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read right after the samples, in place of the states read before; it warns of throttling."""
    state = {"name": "H200", "throttle_reasons": ["gpu_idle", "sw_power_cap"]}
    monkeypatch.setattr(type(gpu), "state", lambda _: NvmlValue(state))
    seen = gpu.observe(gpu.tune(cuda.work(cuda.kernel(100_000))), 100e-6)
    assert seen.conditions == {"gpu_state": [state], "gpu_state_reason": None}
    assert [note.code for note in seen.warnings] == ["throttled"]
    assert "sw_power_cap" in seen.warnings[0].message
    assert "gpu_idle" not in seen.warnings[0].message


def test_without_nvml_a_gpu_is_measured_all_the_same(
    cuda: Any, gpu: Gpu, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record says in one line why there is no state."""
    monkeypatch.setattr(type(gpu), "state", lambda _: NvmlValue(None, "no NVML"))
    seen = gpu.observe(gpu.tune(cuda.work(cuda.kernel(100_000))), 100e-6)
    assert seen.conditions == {"gpu_state": None, "gpu_state_reason": "no NVML"}
    assert seen.warnings == []


def test_the_state_asked_for_is_that_of_the_gpu_itself(
    gpu: Gpu, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CUDA_VISIBLE_DEVICES renumbers GPUs, so that only the UUID tells which one it is."""
    asked: list[str] = []
    monkeypatch.setattr(
        "opperf.pytorch_benchmarks.cuda.gpu.gpu_state",
        lambda _, uuid: asked.append(uuid) or NvmlValue(None),
    )
    gpu.state()
    assert asked == ["GPU-0000-0"]


def test_a_work_of_another_device_is_not_observed(cuda: Any, gpu: Gpu) -> None:
    """What was not tuned for the GPU has no figures of it."""
    assert gpu.observe(cuda.work(cuda.kernel(1)), 1e-6).device_times is None

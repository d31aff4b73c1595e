"""The CUDA path on a real GPU: what the fake one cannot show."""

from __future__ import annotations

from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.environment import collect
from opperf.core.errors import UsageError
from opperf.core.frameworks.workload import Work, accept_all
from opperf.core.statistics.summary import summarize
from opperf.core.timing.measure import measure
from opperf.nd import AdamUpdate, Add, Conv2D, Dot, IMul, Shuffle, Softmax, Sum
from opperf.pytorch_benchmarks.cuda.blocker import run_batch, sleep, sleep_rate
from opperf.pytorch_benchmarks.cuda.device import DeviceWork
from opperf.pytorch_benchmarks.cuda.graph import try_capture
from opperf.pytorch_benchmarks.cuda.tuning import PROBES, probe, waits_by_itself

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result
    from opperf.pytorch_benchmarks.cuda import Gpu
    from opperf.pytorch_benchmarks.framework import PyTorch

pytestmark = pytest.mark.gpu
QUICK = {"budget": 0.1, "precision": 0.02, "framework": "pytorch", "device": "cuda:0"}


def work_of(gpu: Gpu, step: Callable[[], object]) -> Work:
    """Return a work that repeats a step."""
    return Work(device=gpu.device, steps=partial(repeat, step), no_op=accept_all)


def by_direction(operator: Any) -> dict[str, Result]:
    """Measure an operator and return its results by direction."""
    return {result.operator.direction: result for result in operator.run_benchmark()}


def test_a_batch_behind_the_blocker_is_covered(pytorch: PyTorch, real_gpu: Gpu) -> None:
    """A hundred small kernels are submitted before the GPU begins with the first."""
    calls = [partial(pytorch.torch.ones(64, device="cuda:0").fill_, 1.0)] * 100
    cuda, clock = real_gpu.cuda, real_gpu.clock
    run_batch(cuda, calls, int(0.05 * real_gpu.rate), clock)
    assert run_batch(cuda, calls, int(0.05 * real_gpu.rate), clock).covered


def test_without_a_blocker_the_gpu_waits_for_the_host(pytorch: PyTorch, real_gpu: Gpu) -> None:
    """The same batch behind a blocker of no length is known not to be covered."""
    calls = [partial(pytorch.torch.ones(64, device="cuda:0").fill_, 1.0)] * 500
    assert not run_batch(real_gpu.cuda, calls, 0, real_gpu.clock).covered


def test_a_sleep_lasts_as_long_as_its_cycles(real_gpu: Gpu) -> None:
    """Its rate is that of a GPU's clock, and the same when measured again within a tenth."""
    first, again = (sleep_rate(real_gpu.cuda, real_gpu.clock) for _ in range(2))
    assert 2e8 < first < 5e9
    assert again == pytest.approx(first, rel=0.1)


def test_twice_the_sleep_takes_twice_as_long(real_gpu: Gpu) -> None:
    """Measured as any operator is, a hundred and two hundred microseconds are one to two."""
    found = []
    for seconds in (100e-6, 200e-6):
        step = partial(sleep, real_gpu.cuda, int(seconds * real_gpu.rate))
        tuned = real_gpu.tune(work_of(real_gpu, step))
        samples = measure(tuned, Settings(runs=20), first_call=0.0)
        found.append(summarize(samples.times()).median)
    assert found[1] / found[0] == pytest.approx(2.0, rel=0.05)


@pytest.mark.parametrize(
    ("name", "waits"), [("nonzero", True), ("unique", True), ("exp", False), ("sum", False)]
)
def test_operators_that_wait_by_themselves_are_found(
    pytorch: PyTorch, real_gpu: Gpu, name: str, waits: bool
) -> None:
    """No tag tells that nonzero and unique need a result on the host."""
    data = pytorch.torch.ones(1000, device="cuda:0")
    step = partial(getattr(pytorch.torch, name), data)
    step()
    work, timer = work_of(real_gpu, step), real_gpu.timer(0.0)
    assert waits_by_itself(work, timer, probe(work, timer, PROBES[0])) is waits


def test_a_launch_bound_operator_is_captured(pytorch: PyTorch, real_gpu: Gpu) -> None:
    """Adding two single elements takes the host longer than the GPU."""
    lhs, rhs = (pytorch.torch.ones(1, device="cuda:0") for _ in range(2))
    tuned = real_gpu.tune(work_of(real_gpu, partial(pytorch.torch.add, lhs, rhs)))
    assert isinstance(tuned, DeviceWork)
    assert tuned.graph


def test_what_cannot_be_captured_leaves_the_gpu_usable(pytorch: PyTorch, real_gpu: Gpu) -> None:
    """A copy from pageable memory is refused within a capture; the next call works."""
    torch = pytorch.torch
    host, target = torch.ones(1000), torch.zeros(1000, device="cuda:0")

    def step() -> object:
        return target.copy_(host).sum().item()

    assert try_capture(real_gpu.cuda, work_of(real_gpu, step)) is None
    assert torch.ones(3, device="cuda:0").sum().item() == 3
    assert torch.cuda.current_stream() == torch.cuda.default_stream()


@pytest.mark.parametrize(
    "operator", [Add, Conv2D, Dot, IMul, AdamUpdate, Shuffle, Softmax, Sum], ids=lambda o: o.name()
)
@pytest.mark.parametrize("size", ["small", "typical"])
def test_operators_are_right_and_have_times(operator: Any, size: str, pytorch: PyTorch) -> None:
    """Every direction is compared with the reference, and none takes no time or less."""
    assert pytorch.name == "pytorch"
    for direction, result in by_direction(operator(size=size, **QUICK)).items():
        assert result.status in ("ok", "noisy", "unsupported"), (direction, result.reason)
        if result.status != "unsupported":
            assert result.seconds is not None
            assert result.seconds > 0


def test_a_record_has_the_three_figures_and_the_state(pytorch: PyTorch) -> None:
    """Host, device and latency, in this order of size for an operator that fills the GPU."""
    operator = Dot(inputs={"lhs": (4096, 4096), "rhs": (4096, 4096)}, **QUICK)
    found = by_direction(operator)["forward"]
    times: Any = found.device_times
    assert times["submit"] < times["device"] == found.seconds
    assert times["latency"] > times["submit"]
    assert found.environment["settings"]["matmul_allow_tf32"] is False
    assert found.environment["settings"]["cudnn_allow_tf32"] is False
    assert found.environment["gpu"]
    assert (found.environment["gpu_state"] is None) == bool(found.environment["gpu_state_reason"])
    assert pytorch.gpus["cuda:0"].warm


def test_float32_is_not_tf32(pytorch: PyTorch, real_gpu: Gpu) -> None:
    """A product of matrices is as exact as float32: TF32 would be off by a thousandth."""
    torch = pytorch.torch
    generator = torch.Generator().manual_seed(0)
    lhs, rhs = (torch.randn(512, 512, generator=generator) for _ in range(2))
    found = (lhs.to(real_gpu.device.name) @ rhs.to(real_gpu.device.name)).cpu()
    error = (found.double() - lhs.double() @ rhs.double()).abs().max()
    assert error < 5e-4


def test_a_gpu_without_room_is_out_of_memory(pytorch: PyTorch) -> None:
    """With all but 64 MiB taken, a row says so, and the next operator is measured."""
    torch = pytorch.torch
    torch.cuda.empty_cache()
    free, _ = torch.cuda.mem_get_info(0)
    taken = torch.empty(free - 64 * 2**20, dtype=torch.uint8, device="cuda:0")
    shape = {"lhs": (8192, 8192), "rhs": (8192, 8192)}
    found = by_direction(Add(inputs=shape, **QUICK))
    assert {result.status for result in found.values()} == {"out_of_memory"}
    del taken
    torch.cuda.empty_cache()
    assert by_direction(Add(size="small", **QUICK))["forward"].status in ("ok", "noisy")


def test_cold_caches_are_slower_than_hot_ones(pytorch: PyTorch, real_gpu: Gpu) -> None:
    """A ring of copies of a quarter of the L2 never finds its operands there (E10, in small)."""
    torch, size = pytorch.torch, real_gpu.device.cache_bytes
    assert size
    count = size // 16
    pairs = [tuple(torch.empty(count, device="cuda:0") for _ in range(2)) for _ in range(16)]
    timer = real_gpu.timer(20e-6)
    cold_calls = [partial(torch.Tensor.copy_, target, source) for target, source in pairs] * 4
    hot_calls = cold_calls[:1] * len(cold_calls)
    hot, cold = (min(timer.time(calls) for _ in range(9)) for calls in (hot_calls, cold_calls))
    assert cold > 1.2 * hot


def test_an_isolated_child_measures_on_the_gpu(pytorch: PyTorch) -> None:
    """Under the limits on a child's memory CUDA starts all the same."""
    assert pytorch.name == "pytorch"
    results = Add(size="small", **QUICK).run_benchmark(isolate=True)
    assert {result.status for result in results} <= {"ok", "noisy"}
    assert all(result.device_times for result in results)


def test_a_gpu_that_is_not_there_is_refused(pytorch: PyTorch) -> None:
    """It names how many there are."""
    count = pytorch.torch.cuda.device_count()
    with pytest.raises(UsageError, match=rf"device 'cuda:99': {count} CUDA device"):
        pytorch.device("cuda:99")


def test_nvml_tells_the_state_of_each_gpu() -> None:
    """Clocks, power and memory, or a line that says why not."""
    facts: Any = collect()
    if facts["gpu_state"] is None:
        assert facts["gpu_state_reason"]
    else:
        assert all(state["memory_used"] > 0 for state in facts["gpu_state"])

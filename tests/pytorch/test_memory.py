"""What PyTorch's graphs keep and its calls take; the GPU's allocator is a fake of its shape."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.registry import find_framework
from opperf.pytorch_benchmarks.memory import Peak, saved_bytes, span, watch_gpu

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class FakeMemory:
    """The allocator of torch.cuda: what is given out, and the most that ever was."""

    current: int = 1000
    peak: int = 9999
    cleared: bool = False
    synchronized: int = 0

    def synchronize(self) -> None:
        """Count the calls."""
        self.synchronized += 1

    def reset_peak_memory_stats(self) -> None:
        """Forget the most there ever was."""
        self.peak = self.current

    def memory_stats(self) -> dict[str, int]:
        """Return both figures, as they were asked for."""
        return {
            "requested_bytes.all.current": self.current,
            "requested_bytes.all.peak": self.peak,
        }

    def allocate(self, nbytes: int) -> None:
        """Give out so many bytes, or take them back."""
        self.current += nbytes
        self.peak = max(self.peak, self.current)

    def clear(self) -> None:
        """Give back cuBLAS's workspace, which the next call that needs it takes again."""
        self.cleared = True
        self.current -= 300


def gpu(memory: FakeMemory) -> Any:
    """Return the parts of torch that the watch uses."""
    library = SimpleNamespace(_cuda_clearCublasWorkspaces=memory.clear)
    return SimpleNamespace(cuda=memory, _C=library)


def test_a_gpu_s_workspace_is_the_peak_beside_the_outputs() -> None:
    """What was given out before the call does not count, scratch kept from earlier calls does."""
    memory = FakeMemory()

    def call() -> str:
        memory.allocate(300)  # cuBLAS's workspace, anew
        memory.allocate(400)
        memory.allocate(-400)
        memory.allocate(100)
        return "outputs"

    found, taken = watch_gpu(gpu(memory), call)
    assert (found, memory.cleared, memory.synchronized) == ("outputs", True, 2)
    assert taken == Peak(700)
    assert taken.beside([(0, 100)], made=True) == 600
    assert taken.beside([(0, 100)], made=False) == 700
    assert taken.beside([(0, 4096)], made=True) == 0


@pytest.fixture
def torch() -> Any:
    """Return torch, or skip where it is not installed."""
    framework = find_framework("pytorch")
    if not framework.is_installed():
        pytest.skip("pytorch is not installed")
    framework.load(1)
    return framework.torch  # type: ignore[attr-defined] # PyTorch's own


def saved_by(torch: Any, function: Callable[[Any], Any]) -> int:
    """Return what a function of 1,000 float32 keeps for its backward."""
    data = torch.ones(1000, requires_grad=True)
    return saved_bytes(torch, lambda: function(data))


def test_what_a_graph_keeps_is_counted_once(torch: Any) -> None:
    """An input and an output are counted, views of one memory and one saved twice as one."""
    assert saved_by(torch, lambda x: x + 1) == 0
    assert saved_by(torch, torch.exp) == 4000
    assert saved_by(torch, torch.square) == 4000
    assert saved_by(torch, lambda x: x * x) == 4000
    assert saved_by(torch, lambda x: x.exp().exp()) == 8000
    assert saved_by(torch, lambda x: x[:500] * x[500:]) == 4000
    assert saved_by(torch, lambda x: x.detach().exp()) == 0


def test_tensors_saved_and_dropped_are_each_counted(torch: Any) -> None:
    """Memory that is used again while the graph grows is not mistaken for the same tensor."""

    def function(data: Any) -> Any:
        for _ in range(20):
            data = data.exp()
        return data

    assert saved_by(torch, function) == 20 * 4000


def test_a_tensor_lies_in_its_whole_storage(torch: Any) -> None:
    """A slice keeps all of it alive."""
    data = torch.ones(1000)
    assert span(data[10:20]) == span(data) == (data.data_ptr(), 4000)

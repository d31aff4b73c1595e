"""A real GPU for tests marked gpu; where there is none they skip and say why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.core.frameworks.registry import find_framework

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.pytorch_benchmarks.cuda import Gpu
    from opperf.pytorch_benchmarks.framework import PyTorch


@pytest.fixture
def pytorch() -> Iterator[PyTorch]:
    """Return PyTorch with a GPU that it can use; afterwards the first is the current one again."""
    framework = find_framework("pytorch")
    if not framework.is_installed():
        pytest.skip("pytorch is not installed")
    framework.load(1)
    torch = framework.torch  # type: ignore[attr-defined] # PyTorch's own
    if not torch.cuda.is_available():
        pytest.skip(f"torch {torch.__version__} finds no GPU")
    yield framework  # type: ignore[misc] # as just seen
    torch.cuda.set_device(0)


@pytest.fixture
def real_gpu(pytorch: PyTorch) -> Gpu:
    """Return the first GPU."""
    return pytorch.gpu("cuda:0")

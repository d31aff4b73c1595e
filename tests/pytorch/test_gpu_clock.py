"""The experiment E12 on a fake GPU, whose truth is known, and where there is none."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.registry import find_framework
from tests.conftest import told

if TYPE_CHECKING:
    from opperf.pytorch_benchmarks.cuda import Gpu

SCRIPT = Path(__file__).parents[2] / "benchmarks/gpu_clock.py"


@pytest.fixture
def gpu_clock() -> Any:
    """Return the experiment as a module."""
    spec = spec_from_file_location("gpu_clock", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_linear_gpu_meets_every_target(
    gpu_clock: Any, gpu: Gpu, capsys: pytest.CaptureFixture[str]
) -> None:
    """By events and by graphs."""
    assert gpu_clock.report(gpu)
    assert capsys.readouterr().out.count(" met\n") == 10


def test_a_clock_that_is_off_misses_its_target(
    gpu_clock: Any, gpu: Gpu, cuda: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Short sleeps that last a tenth too long are an error at 2, 5 and 10 us, and so said."""
    launch = cuda.launch

    def slow(duration: float, submit: float = 5000) -> None:
        launch(duration * (1.1 if duration < 50_000 else 1), submit)

    cuda.launch = slow
    assert not gpu_clock.report(gpu)
    assert capsys.readouterr().out.count(" MISSED\n") == 6


def test_without_a_gpu_it_is_one_line_and_exit_2(
    gpu_clock: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """An experiment that cannot be made is no result; no machine has a hundred GPUs."""
    if not find_framework("pytorch").is_installed():
        pytest.skip("pytorch is not installed")
    assert gpu_clock.main(["cuda:99"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = told(said.err)
    assert line.startswith("gpu_clock: device 'cuda:99': ")
    assert line.count(" found") == 1

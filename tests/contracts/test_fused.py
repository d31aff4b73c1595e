"""Fused operators equal the parts that they replace, and are really fused."""

from __future__ import annotations

import importlib
import os
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.checking.expectation import Expectation
from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.limits import known_limitations
from opperf.core.frameworks.registry import find_framework
from opperf.measuring.attachment import attach_memory
from opperf.measuring.attempt import Attempt
from opperf.measuring.campaign import measure_task
from opperf.measuring.worker.handle import Limits, Worker
from opperf.operators.fused.convolution import ConvReLU
from opperf.operators.fused.dense import DenseReLU
from opperf.operators.fused.fused import ConvBatchNormReLU
from opperf.operators.fused.residual import AddReLU
from opperf.planning.task import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.declaring.declaration import Declaration

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")


def outputs_of(
    operator: Declaration, framework: Framework, *, variant: Variant, training: bool
) -> Sequence[NDArray[Any]]:
    """Return the outputs of one implementation."""
    return Attempt(operator, framework, "cpu", Settings()).workload(variant).outputs(training)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("training", [False, True], ids=["inference", "training"])
def test_fused_and_unfused_outputs_agree(
    fusable: type[Declaration], measured: Framework, *, training: bool
) -> None:
    """Both compute the same numbers from the same inputs, up to rounding.

    What is drawn in training they draw each for itself; the reference judges that of both.
    """
    operator = fusable(size="small")
    if training and operator.drawn_gradient:
        pytest.skip("each draws for itself")
    direction = "forward_recorded" if training else "forward"
    for gap in known_limitations(operator, measured, direction, variant="fused"):
        pytest.skip(gap.reason)
    fused, parts = (
        outputs_of(operator, measured, variant=variant, training=training)
        for variant in operator.variants()
    )
    assert len(fused) == len(parts)
    for one, other in zip(fused, parts, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.usefixtures("compiler")
def test_many_shapes_in_one_process_stay_compiled() -> None:
    """PyTorch gives up compiling after some shapes: that must not be timed as fused."""
    torch = pytest.importorskip("torch")
    framework = importlib.import_module("opperf.pytorch_benchmarks").FRAMEWORK
    framework.load(1)
    stats = importlib.import_module("torch._dynamo.utils").counters["stats"]
    with torch._dynamo.config.patch(recompile_limit=1):
        for pixels in (5, 6, 7):
            before = stats["unique_graphs"]
            shapes = {"data": (1, 2, pixels, pixels), "weight": (2, 2, 3, 3), "bias": (2,)}
            operator = ConvReLU(inputs=shapes)
            attempt = Attempt(operator, framework, "cpu", Settings(), check_only=True)
            outcome = attempt.outcome("fused", "forward")
            assert outcome.status == "skipped", outcome.reason
            assert stats["unique_graphs"] > before


def kernels_in(
    operator: Declaration, framework: Framework, *, variant: Variant, direction: str = "forward"
) -> Sequence[str]:
    """Return the kernels of one call."""
    workload = Attempt(operator, framework, "cpu", Settings()).workload(variant)
    return workload.kernels(direction) or ()


@pytest.mark.usefixtures("compiler")
def test_fewer_kernels_run_where_something_was_fused(measured: Framework) -> None:
    """Of the operators that each framework fuses, one kernel runs where its parts run two."""
    kind = {"mxnet": ConvReLU, "pytorch": AddReLU}[measured.name]
    fused, parts = (kernels_in(kind(size="small"), measured, variant=v) for v in kind.variants())
    assert len(fused) == 1
    assert len(parts) == 2


def front(name: str) -> Framework:
    """Return one framework, loaded, or skip where it is not installed."""
    framework = find_framework(name)
    if not framework.is_installed():
        pytest.skip(f"{name} is not installed")
    framework.load(1)
    return framework


def test_mxnet_names_its_subgraph() -> None:
    """The node that oneDNN made of three operators is one kernel of its own name."""
    framework = front("mxnet")
    operator = ConvBatchNormReLU(size="small")
    assert kernels_in(operator, framework, variant="fused") == ["_sg_mkldnn_conv"]
    found = kernels_in(operator, framework, variant="unfused")
    assert found == ["Activation", "BatchNorm", "Convolution"]


def test_counting_leaves_no_file_and_takes_none(
    measured: Framework, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MXNet's profiler deletes the file that it is told to write: for root, even /dev/null."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert kernels_in(DenseReLU(size="small"), measured, variant="unfused")
    assert Path(os.devnull).is_char_device()
    assert not [*tmp_path.glob("opperf-*")]


def test_both_directions_run_the_kernels_of_each(measured: Framework) -> None:
    """Parts in a row: forward, backward, and both together as many as the two."""
    operator = DenseReLU(size="small")
    counts = {
        direction: len(kernels_in(operator, measured, variant="unfused", direction=direction))
        for direction in operator.directions()
    }
    assert counts["forward"] == counts["forward_recorded"] == 2
    assert counts["forward_backward"] == counts["forward"] + counts["backward"]
    assert counts["backward"] >= 2


@pytest.mark.usefixtures("compiler")
def test_generated_kernels_are_those_that_torch_would_show_by_itself() -> None:
    """By TorchInductor's own switch, which compiles anew, the profiler sees the same kernels.

    Of a convolution and a ReLU it is seen as well that the compiler fuses nothing.
    """
    framework = front("pytorch")
    torch = importlib.import_module("torch")
    operator = ConvReLU(size="small")
    found = kernels_in(operator, framework, variant="fused")
    assert len(found) >= len(kernels_in(operator, framework, variant="unfused"))
    generated = [name for name in found if name.startswith("cpp_fused")]
    inductor = importlib.import_module("torch._inductor.config")
    with inductor.patch({"cpp.enable_kernel_profile": True}):
        workload = Attempt(operator, framework, "cpu", Settings()).workload("fused")
        workload.outputs(False)  # noqa: FBT003 - inference
        with framework.inference(), torch.profiler.profile() as seen:
            workload.outputs(False)  # noqa: FBT003 - inference
    shown = [event.name for event in seen.events() if "cpp_fused" in event.name]
    assert [name.partition("cpp_fused")[2] for name in shown] == [
        name.partition("cpp_fused")[2] for name in generated
    ]


def test_views_and_room_are_no_kernels() -> None:
    """A copy is one; what is composed of others counts as those; a GPU's are not told."""
    kernels = front("pytorch").kernels
    torch = importlib.import_module("torch")
    tensor = torch.ones(4, 4)
    assert kernels(lambda: tensor.t()[:2].unsqueeze(0), "cpu") == []
    assert kernels(lambda: torch.empty_like(tensor), "cpu") == []
    assert kernels(lambda: torch.unsafe_chunk(tensor, 2), "cpu") == []
    assert kernels(lambda: tensor.t().contiguous(), "cpu") == ["aten::copy_"]
    assert kernels(lambda: torch.softmax(tensor, 0), "cpu") == ["aten::_softmax"]
    linear = torch.nn.functional.linear
    assert kernels(lambda: linear(tensor, tensor, tensor[0]), "cpu") == ["aten::addmm"]
    assert kernels(lambda: torch.result_type(tensor, 1.0), "cpu") == []
    assert kernels(lambda: tensor, "cuda:0") is None


def test_what_calls_several_kernels_is_not_one() -> None:
    """On the CPU a loop over tensors is as many kernels, and a product with its activation two."""
    kernels = front("pytorch").kernels
    torch = importlib.import_module("torch")
    tensor = torch.ones(4, 4)
    several = [torch.ones(4) for _ in range(3)]
    assert kernels(lambda: torch._foreach_add_(several, 1.0), "cpu") == ["aten::add_"] * 3
    with torch.no_grad():
        found = kernels(lambda: torch._addmm_activation(tensor[0], tensor, tensor), "cpu")
        gelu = torch._addmm_activation
        other = kernels(lambda: gelu(tensor[0], tensor, tensor, use_gelu=True), "cpu")
    assert found == ["aten::_addmm_activation", "aten::clamp_min_"]
    assert other == ["aten::_addmm_activation", "aten::gelu_"]
    assert kernels(lambda: tensor.mean(1), "cpu") == ["aten::sum", "aten::div_"]
    assert kernels(lambda: torch.relu(tensor), "cpu") == ["aten::clamp_min"]
    assert kernels(tensor.sum, "cpu") == ["aten::sum"]


def test_parts_in_a_row_are_the_whole(fusable: type[Declaration]) -> None:
    """By their references, each on what the last one returns and the inputs that are left."""
    operator = fusable(size="small")
    if not operator.parts():
        pytest.skip("not a row of operators")
    arrays = [*Expectation(operator, 0).arrays.values()]
    values, left = [], arrays
    for part in operator.parts():
        taken = len(part.tensors) - len(values)
        values, left = part.evaluate([*values, *left[:taken]]), left[taken:]
    assert not left
    for one, whole in zip(values, operator.evaluate(arrays), strict=True):
        np.testing.assert_allclose(one, whole, rtol=1e-12)


def test_without_a_compiler_it_is_unsupported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not failed: the reason says what is missing, and the parts are measured all the same."""
    framework = front("pytorch")
    # The compiler's settings read the variable once: tests that follow must not have it.
    importlib.import_module("torch._inductor.config")
    monkeypatch.setenv("CXX", "no-such-compiler")
    attempt = Attempt(AddReLU(size="small"), framework, "cpu", Settings(), check_only=True)
    outcome = attempt.outcome("fused", "forward")
    assert outcome.status == "unsupported"
    assert outcome.reason == ("torch.compile needs a C++ compiler, and finds no 'no-such-compiler'")
    assert attempt.outcome("unfused", "forward").status == "skipped"


@pytest.mark.usefixtures("compiler")
def test_a_record_says_what_ran_and_whether_it_was_fused(measured: Framework) -> None:
    """Kernels by the child of the memory pass; what saves none carries the warning."""
    rows = (("fused", "forward"), ("unfused", "forward"))
    settings = Settings(runs=6, warmup=0)
    task = Task(
        operator="DenseReLU", framework=measured.name, size="small", rows=rows, settings=settings
    )
    worker = Worker(framework=measured.name, device="cpu", threads=1, limits=Limits())
    with closing(worker), closing(worker.for_memory()) as memory_worker:
        results = measure_task(worker, task)
        fused, parts = attach_memory(results, task, memory_worker)
    assert fused.fusion
    assert parts.fusion
    assert len(parts.fusion.kernels) == 2
    assert fused.summary
    assert parts.summary
    codes = [note.code for note in fused.summary.warnings]
    is_fused = len(fused.fusion.kernels) < 2
    assert is_fused == (measured.name == "mxnet")
    assert ("not_fused" in codes) == (not is_fused)
    assert "not_fused" not in [note.code for note in parts.summary.warnings]

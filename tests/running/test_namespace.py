"""What users import is the declaration, made runnable, and nothing else."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from opperf import nd
from opperf.core.results.older_names import OLDER_NAMES
from opperf.declaring.registry import operators
from opperf.running.namespace import bind
from opperf.running.operator import Operator

if TYPE_CHECKING:
    from opperf.declaring.declaration import Declaration

SAME = (
    "category", "tensors", "sizes", "reference", "gradient", "dtypes", "tags", "fusable",
    "differentiable", "output_layout", "tolerance", "gradient_tolerance",
)  # fmt: skip


@pytest.mark.parametrize("framework", [None, "mxnet"])
@pytest.mark.parametrize("kind", operators().values(), ids=lambda kind: kind.name())
def test_a_runnable_class_is_what_is_declared(
    kind: type[Declaration], framework: str | None
) -> None:
    """Whatever a declaration derives when its class is made is not derived again."""
    runnable = bind(kind.name(), framework)
    assert issubclass(runnable, Operator)
    assert issubclass(runnable, kind)
    assert runnable.table_class() is kind.table_class()
    assert {name: getattr(runnable, name) for name in SAME} == {
        name: getattr(kind, name) for name in SAME
    }
    made, declared = runnable(size="small"), kind(size="small")
    assert made.inputs == declared.inputs
    assert [part.name() for part in made.parts()] == [part.name() for part in declared.parts()]


@pytest.mark.parametrize(
    "module", ["opperf.nd", "opperf.mxnet_benchmarks.nd", "opperf.pytorch_benchmarks.nd"]
)
def test_older_names_are_importable(module: str) -> None:
    """Each is the very class of today, and none is listed."""
    names = import_module(module)
    for older, today in OLDER_NAMES.items():
        assert getattr(names, older) is getattr(names, today)
        assert getattr(names, older).__name__ == today
    assert not set(OLDER_NAMES) & set(names.__all__)


def test_an_older_name_is_imported_as_any_other() -> None:
    """From the operators to be run, and from the module that declares one."""
    from opperf.nd import DenseRelu
    from opperf.operators.fused import dense

    assert DenseRelu(size="small").name() == "DenseReLU"
    assert dense.DenseRelu is dense.DenseReLU
    with pytest.raises(ImportError, match="did you mean 'DenseReLU'"):
        from opperf.nd import DenseRel  # noqa: F401


def test_a_renamed_operator_prints_its_older_figure(capsys: pytest.CaptureFixture[str]) -> None:
    """Scripts look for it by that name."""
    found = nd.LeakyReLU({"data": (2, 3)}, framework="numpy", runs=6, warmup=0)
    found.run_benchmark()
    assert list(found.get_benchmark_results()) in ([], ["NP_LeakyRelu_Forward_Time"])
    found.print_benchmark_results()
    assert capsys.readouterr().out.startswith("NP_LeakyRelu_Forward_Time - ")

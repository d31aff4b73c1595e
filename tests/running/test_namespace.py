"""What users import is the declaration, made runnable, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

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

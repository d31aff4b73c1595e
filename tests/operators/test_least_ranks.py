"""Tensors of few dimensions: refused where the reference cannot compute with them."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest

from opperf.core.errors import UsageError
from opperf.core.tensors.tensor import fill
from opperf.declaring.registry import operators


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (1, 1, 1, 1)], ids=str)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # a mean of one element has no deviation
def test_what_is_not_refused_can_be_computed(shape: tuple[int, ...]) -> None:
    """The reference takes whatever `outputs` takes, and returns the shapes that it states."""
    wrong, computed = [], 0
    for kind in operators().values():
        try:
            operator = kind(dict.fromkeys(kind.tensors, shape))
        except UsageError:
            continue
        if sum(map(prod, operator.outputs())) > 2**16:
            continue
        arrays = fill(
            operator.domains(),
            operator.shapes,
            dtype="float64",
            initializer=operator.inputs.get("initializer"),
            seed=0,
        )
        computed += 1
        try:
            found = [np.shape(array) for array in operator.evaluate([*arrays.values()])]
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            wrong.append(f"{kind.name()}: {error}")
        else:
            wrong += [kind.name()] if found != [*operator.outputs()] else []
    assert computed > 100
    assert wrong == []

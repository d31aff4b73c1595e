"""What a forward operator returns, as MXNet derives it without running it."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.mxnet_benchmarks.calling.registry import compose

if TYPE_CHECKING:
    from opperf.mxnet_benchmarks.calling.arguments import OperatorArguments
    from opperf.mxnet_benchmarks.calling.registry import Registered


def derive_outputs(
    mxnet: Any, operator: Registered, given: OperatorArguments
) -> list[tuple[tuple[int, ...], str]] | None:
    """Return shape and element type of each result, None where MXNet derives none.

    MXNet's errors are of the kind RuntimeError; bfloat16 is no element type of NumPy's.
    """
    tensors = {f"in{number}": each for number, each in enumerate(given.arrays.values())}
    variables = [mxnet.sym.var(name) for name in tensors]
    sizes = {name: each.shape for name, each in tensors.items()}
    try:
        symbol = compose(mxnet, operator, variables, given.attributes, "operator")
        kinds = {name: np.dtype(each.dtype) for name, each in tensors.items()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it says what it cannot derive
            _, shapes, _ = symbol.infer_shape(**sizes)
            _, types, _ = symbol.infer_type(**kinds)
    except (RuntimeError, TypeError):
        return None
    if shapes is None or types is None:
        return None
    return [(tuple(shape), np.dtype(kind).name) for shape, kind in zip(shapes, types, strict=True)]

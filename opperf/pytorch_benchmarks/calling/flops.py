"""The FLOP of a call, by PyTorch's own formulas."""

from __future__ import annotations

from typing import Any


def count_flop(overload: Any, step: Any, results: Any) -> int | None:
    """Return the FLOP of a call with these arguments, None where PyTorch has no formula for it.

    Args:
        overload: what is called.
        step: a partial of it, whose tensors need no memory.
        results: what it returns.

    """
    from torch.utils.flop_counter import flop_registry

    formula = flop_registry.get(overload.overloadpacket)
    if formula is None:
        return None
    return int(formula(*step.args, **step.keywords, out_val=results))

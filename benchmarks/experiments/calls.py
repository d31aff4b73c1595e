"""The calls that E3 and E7 have pyperf time, the same in this process and in pyperf's."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step

CALLS = ("add 256x256", "exp 256x256", "matrix product 256x256", "sort 100000")


def make_call(name: str) -> Step:
    """Return one of the calls, bound to its tensors, in PyTorch with one thread.

    Its outputs are ready as well: where they came to lie would make a difference between two tools
    in one process (docs/lab/method.md, "Between processes").
    """
    import torch

    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    torch.manual_seed(0)
    kind, _, shape = name.rpartition(" ")
    data = torch.rand(*map(int, shape.split("x")))
    makers: dict[str, Callable[[], Any]] = {
        "add": lambda: partial(torch.add, data, data.clone()),
        "exp": lambda: partial(torch.exp, data),
        "matrix product": lambda: partial(torch.mm, data, data.clone()),
        "softmax": lambda: partial(torch.softmax, data, -1),
        "sort": lambda: partial(torch.sort, data),
    }
    call = makers[kind]()
    return partial(call, out=call())

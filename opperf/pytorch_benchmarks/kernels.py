"""Which kernels a call runs in PyTorch, as its own profiler sees them."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GENERATED = "inductor"
"""The namespace under which the profiler is shown the kernels that torch.compile generated."""
PREFIX = "cpp_fused"
"""How TorchInductor begins the names of the kernels that it generates for the CPU."""
ALLOCATING = ("empty", "new_empty", "resize")
COMPOSITE = "CompositeImplicitAutograd"
"""Under this key the dispatcher has operators that are made of others and compute nothing."""


def kernels(torch: Any, call: Callable[[], object]) -> list[str]:
    """Return the names of the kernels that a call on the CPU runs, in their order.

    A kernel is an operator with a form of its own in PyTorch's dispatcher, whatever it calls in
    turn, or one that torch.compile generated. What only makes a view of a tensor or room for one is
    none; of what is composed of other operators, those are counted.
    """
    # That of torch.profiler, which is made of this one, loads all of TorchInductor first.
    with shown(torch), torch.autograd.profiler.profile() as p:
        call()
    outermost = [event for event in p.function_events if event.cpu_parent is None]
    return [name for event in outermost for name in kernels_of(torch, event)]


def kernels_of(torch: Any, event: Any) -> list[str]:
    """Return the kernels of an event of the profiler: itself, or those within."""
    namespace, _, name = event.name.partition("::")
    if namespace == GENERATED:
        return [name]
    found = operator_of(torch, namespace, name)
    if found is None or is_composite(torch, found):
        within = [kernel for child in event.cpu_children for kernel in kernels_of(torch, child)]
        if within or found is None:
            return within
    allocates = name.lstrip("_").startswith(ALLOCATING)
    return [] if found.is_view or allocates else [event.name]


def is_composite(torch: Any, operator: Any) -> bool:
    """Return whether an operator is made of others, whatever it is called with."""
    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key  # noqa: SLF001 - nothing public tells
    return bool(has_kernel(operator.name(), COMPOSITE))


def operator_of(torch: Any, namespace: str, name: str) -> Any:
    """Return the operator that an event is named after, its first overload; None where it is none.

    The profiler does not tell which overload was called; all of one operator are alike in this.
    """
    packet = getattr(getattr(torch.ops, namespace, None), name, None) if name else None
    return getattr(packet, packet.overloads()[0]) if packet is not None else None


@contextmanager
def shown(torch: Any) -> Iterator[None]:
    """Have the profiler see what torch.compile generated, which it otherwise does not.

    TorchInductor has a switch for that, which is part of what it compiles: everything would have to
    be compiled once more. The code that calls the kernels is Python, and finds them by name in its
    module, so that each can be called through a function that the profiler sees.
    """
    compiler = sys.modules.get("torch._inductor.codecache")  # what has not been used is not loaded
    generated = [
        (module, name, kernel)
        for module in (compiler.PyCodeCache.modules if compiler else ())
        for name, kernel in vars(module).items()
        if name.startswith(PREFIX)
    ]
    for module, name, kernel in generated:
        setattr(module, name, partial(named, torch, f"{GENERATED}::{name}", kernel))
    try:
        yield
    finally:
        for module, name, kernel in generated:
            setattr(module, name, kernel)


def named(torch: Any, name: str, kernel: Callable[..., Any], *arguments: Any) -> Any:
    """Call a kernel under a name that the profiler sees."""
    with torch.profiler.record_function(name):
        return kernel(*arguments)

"""The kernels that a call runs in PyTorch, by its profiler."""

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
UNSAFE = "unsafe"
"""How the names of views begin of which autograd is not told, such as `unsafe_split`."""
IMPLICIT, EXPLICIT = "CompositeImplicitAutograd", "CompositeExplicitAutograd"
"""Under these keys the dispatcher has operators that are made of others, for any device; what is
under the first, for its backward as well, computes nothing by itself."""
MOVING = ("aten::copy_", "aten::fill_", "aten::zero_")
"""What an operator calls to get ready, such as for the bias that a product is added to."""
WORKING = ("aten::_addmm_activation", "aten::mkldnn_rnn_layer")
"""What computes by itself beside what it calls: the products, before an activation or biases."""


def kernels(torch: Any, call: Callable[[], object]) -> list[str]:
    """Return the names of the kernels that a call on the CPU runs, in their order.

    A kernel is an operator of PyTorch's dispatcher that calls no others, but to move what it
    computes on, or one that torch.compile generated: `_foreach_add_` of three tensors is three.
    What only makes a view of a tensor or room for one is none.
    """
    # That of torch.profiler, which is made of this one, loads all of TorchInductor first.
    with record_generated(torch), torch.autograd.profiler.profile() as p:
        call()
    outermost = [event for event in p.function_events if event.cpu_parent is None]
    return [name for event in outermost for name in kernels_of(torch, event)]


def kernels_of(torch: Any, event: Any) -> list[str]:
    """Return the kernels of an event of the profiler: itself, or those within."""
    namespace, _, name = event.name.partition("::")
    if namespace == GENERATED:
        return [name]
    within = [kernel for child in event.cpu_children for kernel in kernels_of(torch, child)]
    computing = [kernel for kernel in within if kernel not in MOVING]
    if event.name in WORKING:
        return [event.name, *computing]
    forms = forms_of(torch, namespace, name)
    if not forms or computing or forms[0].is_view:
        return within
    if within and has_form(torch, forms[0], IMPLICIT, EXPLICIT):
        return within
    moves_none = name.lstrip("_").startswith((*ALLOCATING, UNSAFE))
    calls_only = all(has_form(torch, form, IMPLICIT) for form in forms)
    return [] if moves_none or calls_only or not returns_tensor(forms[0]) else [event.name]


def has_form(torch: Any, operator: Any, *keys: str) -> bool:
    """Return whether the dispatcher has a form of an operator under one of these keys."""
    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key  # noqa: SLF001 - nothing public tells
    return any(has_kernel(operator.name(), key) for key in keys)


def returns_tensor(operator: Any) -> bool:
    """Return whether an operator returns or changes tensors, rather than a property of them."""
    returned = operator._schema.returns  # noqa: SLF001 - nothing public tells
    return not returned or any("Tensor" in str(each.type) for each in returned)


def forms_of(torch: Any, namespace: str, name: str) -> list[Any]:
    """Return the overloads of the operator that an event is named after; none if it is none.

    The profiler does not record which overload was called.
    """
    packet = getattr(getattr(torch.ops, namespace, None), name, None) if name else None
    return [getattr(packet, each) for each in packet.overloads()] if packet is not None else []


@contextmanager
def record_generated(torch: Any) -> Iterator[None]:
    """Make the profiler record the kernels that torch.compile generated.

    TorchInductor has a switch for that, which is part of what it compiles: everything would have to
    be compiled once more. The code that calls the kernels is Python, and finds them by name in its
    module, so that each can be called through a function that the profiler records.
    """
    compiler = sys.modules.get("torch._inductor.codecache")  # what has not been used is not loaded
    generated = [
        (module, name, kernel)
        for module in (compiler.PyCodeCache.modules if compiler else ())
        for name, kernel in vars(module).items()
        if name.startswith(PREFIX)
    ]
    for module, name, kernel in generated:
        setattr(module, name, partial(name_kernel, torch, f"{GENERATED}::{name}", kernel))
    try:
        yield
    finally:
        for module, name, kernel in generated:
            setattr(module, name, kernel)


def name_kernel(torch: Any, name: str, kernel: Callable[..., Any], *arguments: Any) -> Any:
    """Call a kernel under a name that the profiler records."""
    with torch.profiler.record_function(name):
        return kernel(*arguments)

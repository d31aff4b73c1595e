"""Every operator of the table by torch.compile: its callable as one graph."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from opperf.core.frameworks.framework import Framework
from opperf.core.frameworks.implementation import BoundCall, Fusable, Implementation
from opperf.pytorch_benchmarks.binding.fusing import whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.implementation import Absent, Table


PyTorchLike = TypeVar("PyTorchLike", bound=Framework)


def compile_operators(framework: PyTorchLike) -> PyTorchLike:
    """Return PyTorch with each operator of its table compiled."""
    made = copy(framework)
    made.table = compile_table(framework.table)
    return made


def compile_table(table: Table) -> Table:
    """Return the table with each callable compiled, and nothing compiled as yet."""
    compile_callable.cache_clear()
    return {operator: compile_entry(entry) for operator, entry in table.items()}


def compile_entry(entry: Implementation | Fusable | Absent) -> Implementation | Fusable | Absent:
    """Return an entry of the table with its callables compiled."""
    if isinstance(entry, Implementation):
        return compile_implementation(entry)
    if isinstance(entry, Fusable):
        unfused = compile_implementation(entry.unfused)
        return replace(entry, fused=compile_implementation(entry.fused), unfused=unfused)
    return entry


def compile_implementation(implementation: Implementation) -> Implementation:
    """Return an implementation by torch.compile; one that compiles by itself stays as it is."""
    if implementation.compiles:
        return implementation
    name = f"torch.compile + {implementation.name}"
    build = partial(bind_compiled, implementation)
    return replace(implementation, name=name, build=build, compiles=True)


def bind_compiled(
    implementation: Implementation, compile_: Callable[..., Any], *given: Any, **keywords: Any
) -> BoundCall:
    """Bind as the implementation does, and compile what it has bound."""
    calls = implementation.name.count(" + ") + 1
    bound = implementation.bind(given[calls:], keywords)
    return replace(bound, step=compile_step(compile_, bound.step))


def compile_step(compile_: Callable[..., Any], step: Step) -> Step:
    """Return a step compiled: its callable, where that is bound to tensors."""
    if isinstance(step, partial):
        compiled = compile_callable(compile_, step.func)
        return partial(compiled, *step.args, **step.keywords)
    return partial(compile_callable(compile_, step))


@lru_cache(maxsize=1)
def compile_callable(compile_: Callable[..., Any], function: Callable[..., Any]) -> Any:
    """Return a callable compiled, the same for all tensors of an operator."""
    return whole(compile_, function, freezing=False)

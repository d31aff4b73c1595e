"""The functions that PyTorch offers on tensors, each under one name."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

from opperf.coverage.public import Public

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.coverage.public import Known

NAMESPACES = ("torch", "torch.nn.functional", "torch.linalg", "torch.special", "torch.fft")


def public(torch: Any, knowledge: Known) -> Public:
    """Return the functions of PyTorch's public namespaces, each once.

    A name in torch.nn.functional that torch has too is the same operator there; further aliases
    stand in the package's file. The first namespace that has an operator counts it.
    """
    registries: dict[str, list[str]] = {}
    same: dict[str, str] = {}
    for namespace in NAMESPACES:
        registries[namespace] = []
        for name in functions(torch, namespace):
            dotted = f"{namespace}.{name}"
            twin = f"torch.{name}"
            usual = twin if namespace == "torch.nn.functional" and twin in same else dotted
            same[dotted] = knowledge.public.get(dotted, usual)
            if same[dotted] == dotted:
                registries[namespace].append(dotted)
    registries["torch.optim"] = [*steps()]
    same.update({name: name for name in registries["torch.optim"]})
    return Public(registries, same)


def functions(torch: Any, namespace: str) -> Sequence[str]:
    """Return the names of a namespace's functions on tensors.

    They are those that PyTorch lets be overridden, in torch the native ones too, which create
    tensors or change them in place, and in torch.nn.functional what is written there.
    """
    module = import_module(namespace)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        overridable = torch.overrides.get_overridable_functions()
        ours = {id(function) for functions in overridable.values() for function in functions}
    native = dir(torch._C._VariableFunctions) if module is torch else ()  # noqa: SLF001 - likewise
    return [
        name
        for name in sorted({*dir(module)})
        if not name.startswith("_")
        and callable(getattr(module, name))
        and not isinstance(getattr(module, name), type)
        and (
            name in native
            or id(getattr(module, name)) in ours
            or getattr(module, name).__module__ == namespace == "torch.nn.functional"
        )
    ]


def steps() -> Iterator[str]:
    """Yield the functions that do an optimizer's step; each has its module's name."""
    for module in sorted(name for name in sys.modules if name.startswith("torch.optim.")):
        step = module.rpartition(".")[2].lstrip("_")
        if callable(getattr(sys.modules[module], step, None)):
            yield f"{module}.{step}"


def tested_callables(torch: Any, public: Public) -> Sequence[str]:
    """Return what PyTorch's own tests cover, OpInfo: functions, and methods by their class.

    Raises:
        ImportError: What its tests need is not installed.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = import_module("torch.testing._internal.common_methods_invocations")
    return sorted({place(torch, entry.name, public) for entry in module.op_db})


def place(torch: Any, name: str, public: Public) -> str:
    """Return the dotted name of what OpInfo calls so: a function, else a method, else unknown."""
    if f"torch.{name}" not in public.same:
        for method in (name, f"{name}_"):
            if hasattr(torch.Tensor, method):
                return f"torch.Tensor.{method}"
    return f"torch.{name}"

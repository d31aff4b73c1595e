"""Overloads by the name that a network's calls have them under."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.errors import UnsupportedError, UsageError, nearest, quote
from opperf.pytorch_benchmarks.calling.arguments import name_arguments

if TYPE_CHECKING:
    from opperf.calls.format.values import Call

NAME_PARTS = 3
RENAMED = {"aten.sum.SymInt": "aten.sum.dim_IntList"}
"""Overloads that older versions of PyTorch had, and the same under today's name."""


def find_overload(torch: Any, call: Call) -> Any:
    """Return the overload that a call names, such as aten.mm.default.

    Raises:
        UnsupportedError: this version has none of the name; tells the nearest that it has.
    """
    name = RENAMED.get(call.operator, call.operator)
    parts = name.split(".")
    if len(parts) != NAME_PARTS:
        raise UnsupportedError(f"{quote(name)} is no overload's name, such as aten.mm.default")
    namespace, operator, overload = parts
    packet = getattr(getattr(torch.ops, namespace), operator, None)
    if packet is None:
        raise UnsupportedError(absent(torch, name, operators_of(torch, namespace)))
    overloads = {one: getattr(packet, one) for one in packet.overloads()}
    if overload not in overloads:
        fitting = [one for one, found in overloads.items() if takes(found, call)]
        there = [f"{namespace}.{operator}.{one}" for one in fitting or overloads]
        raise UnsupportedError(absent(torch, name, there))
    return overloads[overload]


def takes(overload: Any, call: Call) -> bool:
    """Return whether an overload would take a call's arguments."""
    try:
        name_arguments(call, overload._schema)  # noqa: SLF001 - PyTorch has no other name for it
    except UsageError:
        return False
    return True


def absent(torch: Any, name: str, there: list[str]) -> str:
    """Return the line that says that there is no such overload, and what is nearest."""
    near = nearest(name, there)
    hint = f"; nearest: {near}" if near else ""
    return f"PyTorch {torch.__version__} has no overload {name}{hint}"


def operators_of(torch: Any, namespace: str) -> list[str]:
    """Return the names of all overloads of a namespace."""
    beginning = f"{namespace}::"
    return [
        f"{namespace}.{operator}.{overload or 'default'}"
        for name in torch._C._dispatch_get_all_op_names()  # noqa: SLF001 - there is no other list
        if name.startswith(beginning)
        for operator, _, overload in [name.removeprefix(beginning).partition(".")]
    ]

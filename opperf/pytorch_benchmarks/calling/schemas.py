"""The overloads of ATen's operators, asked of PyTorch in a process of its own.

``python -m opperf.pytorch_benchmarks.calling.schemas`` reads names as JSON and writes overloads.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError
from opperf.core.frameworks.calling import Overload, Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LONGEST = 120.0
"""Seconds that PyTorch may take to be imported and asked."""


def ask(names: Sequence[str]) -> Mapping[str, Sequence[Overload]]:
    """Return the overloads of the operators of these names; no entry for one that is not here.

    Raises:
        UsageError: PyTorch cannot be asked.
    """
    try:
        answered = subprocess.run(  # noqa: S603 - our own module
            [sys.executable, "-m", __name__],
            input=json.dumps([*names]),
            capture_output=True,
            check=True,
            text=True,
            timeout=LONGEST,
        )
        found: dict[str, list[dict[str, Any]]] = json.loads(answered.stdout)
    except subprocess.TimeoutExpired:
        raise UsageError(f"PyTorch did not name its operators within {LONGEST:g} s") from None
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        said = getattr(error, "stderr", None) or str(error)
        reason = said.strip().rpartition("\n")[2]
        raise UsageError(f"PyTorch could not be asked for its operators: {reason}") from None
    return {
        name: [
            Overload(
                name=each["name"],
                composite=each["composite"],
                parameters=tuple(Parameter(**parameter) for parameter in each["parameters"]),
            )
            for each in overloads
        ]
        for name, overloads in found.items()
    }


def answer() -> None:
    """Read names, and write what PyTorch says of their overloads."""
    import torch

    names = json.load(sys.stdin)
    found = {name: overloads_of(torch, name) for name in names}
    json.dump({name: each for name, each in found.items() if each}, sys.stdout)


def overloads_of(torch: Any, name: str) -> list[dict[str, Any]]:
    """Return the overloads of an operator that PyTorch dispatches, those for lists left out."""
    packet = getattr(torch.ops.aten, name, None)
    overloads = packet.overloads() if packet is not None else []
    registered = {
        each: f"aten::{name}" if each == "default" else f"aten::{name}.{each}" for each in overloads
    }
    return [
        {
            "name": f"aten.{name}.{each}",
            "composite": has_kernel(torch, qualified, "CompositeImplicitAutograd"),
            "parameters": [*map(parameter, getattr(packet, each)._schema.arguments)],  # noqa: SLF001
        }
        for each, qualified in registered.items()
        if torch._C._dispatch_has_kernel(qualified)  # noqa: SLF001 - there is no other way
    ]


def has_kernel(torch: Any, qualified: str, key: str) -> bool:
    """Return whether an overload has a kernel of a kind."""
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(qualified, key))  # noqa: SLF001


def parameter(argument: Any) -> dict[str, Any]:
    """Return what a schema says of an argument; a default that is no JSON is left out."""
    default = argument.default_value
    plain = isinstance(default, (bool, int, float, str, list))
    return {
        "name": argument.name,
        "type": str(getattr(argument, "real_type", argument.type)),
        "required": not argument.has_default_value(),
        "default": default if plain else None,
    }


if __name__ == "__main__":
    answer()

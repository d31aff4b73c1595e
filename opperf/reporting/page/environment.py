"""Environments side by side: facts as texts, and which of them differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.units import format_bytes
from opperf.reporting.text import clean, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

FIRST = (
    "cpu", "instruction_sets", "cores", "memory_bytes", "gpu", "driver", "os", "kernel",
    "python.version",
    "packages.mxnet", "packages.torch", "packages.numpy", "packages.opperf", "threads", "affinity",
    "governor", "machine_key", "opperf_revision",
)  # fmt: skip
"""The facts that a reader asks for first; the others stand folded below them."""
PASSING = ("load_average", "clock", "gpu_state")
"""What is another from one moment to the next, which is no difference between two columns."""
SHOWN = 3
"""Values of one fact that are listed before the rest is counted."""
LONGEST = 300


def environment(groups: Mapping[str, Iterable[Mapping[str, Any]]]) -> dict[str, Any] | None:
    """Return a row a fact and a column a group of environments, None where there are no facts.

    A fact that was not found is None; one that changed in the course of a run lists its values.
    """
    found = {name: facts(environments) for name, environments in groups.items()}
    names = dict.fromkeys(name for group in found.values() for name in group)
    ordered = [*(name for name in FIRST if name in names), *(n for n in names if n not in FIRST)]
    rows = [[name, *(group.get(name) for group in found.values())] for name in ordered]
    if not rows:
        return None
    return {
        "columns": [clean(name) for name in found],
        "rows": rows,
        "first": sum(name in names for name in FIRST),
    }


def facts(environments: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return each fact with the different values that the environments state."""
    values: dict[str, dict[str, Any]] = {}
    for one in {id(one): one for one in environments}.values():  # results of a process share one
        for name, value in flatten(one):
            values.setdefault(name, {})[repr(value)] = value
    return {
        clean(name): list_text([text_of(name, value) for value in found.values()])
        for name, found in values.items()
    }


def flatten(value: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield facts by names such as "packages.torch"; what was not found is left out."""
    for name, item in value.items():
        path = f"{above}{name}"
        if path in PASSING or item is None or item == []:
            continue
        if isinstance(item, dict):
            yield from flatten(item, f"{path}.")
        else:
            yield path, item


def text_of(path: str, value: Any) -> str:
    """Return a fact as a text: sizes in bytes with their unit, lists in one line."""
    if path == "memory_bytes" and isinstance(value, int):
        return format_bytes(value)
    text = ", ".join(map(clean, value)) if isinstance(value, list) else clean(value)
    return shorten(text, LONGEST)


def list_text(values: Sequence[str]) -> str:
    """Return the first values, and how many more there are."""
    rest = len(values) - SHOWN
    return "; ".join(values[:SHOWN]) + (f"; and {rest} more" if rest > 0 else "")

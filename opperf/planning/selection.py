"""What a user asks to be measured, and what a filter can know of it before it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError, nearest, unknown
from opperf.core.filters.language import parse
from opperf.core.frameworks.registry import framework_names
from opperf.core.frameworks.workload import DIRECTIONS
from opperf.core.results.status import STATUSES
from opperf.core.tensors.tensor import DTYPES, usual_dtype
from opperf.declaring.declaration import SIZES
from opperf.declaring.registry import operators

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opperf.core.filters.language import Filter
    from opperf.declaring.declaration import Declaration


@dataclass(frozen=True, kw_only=True)
class Selection:
    """What a user asks to be measured; `inputs` holds for every selected operator.

    Each operator is measured by each framework, on each device, with each number of threads.
    """

    text: str = ""
    frameworks: tuple[str, ...]
    devices: tuple[str, ...] = ("cpu",)
    threads: tuple[int, ...] = (1,)
    dtype: str = "float32"
    sizes: tuple[str, ...] = ("typical",)
    inputs: Mapping[str, Any] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    check_only: bool = False
    memory_limit: int | None = None
    sweep: bool = False


def sizes_of(selection: Selection) -> tuple[str, ...]:
    """Return the sizes asked for, all where `all` is one of them."""
    for size in selection.sizes:
        if size not in (*SIZES, "all"):
            raise UsageError(unknown("size", size, (*SIZES, "all")))
    return SIZES if "all" in selection.sizes else selection.sizes


def facts_of(
    kind: type[Declaration], framework: str, size: str, dtype: str, device: str
) -> dict[str, str | None]:
    """Return what a filter can know before anything is measured."""
    return {
        "name": kind.name(),
        "category": kind.category,
        "tag": " ".join(kind.tags),
        "framework": framework,
        "dtype": dtype,
        "size": size,
        "device": device,
    }


def is_asked_for(
    kind: type[Declaration], size: str, selection: Selection, condition: Filter
) -> bool:
    """Return whether the filter leaves an operator on any framework and device."""
    dtype = usual_dtype(kind.dtypes, selection.dtype)
    places = product(selection.frameworks, selection.devices)
    return any(
        condition.matches(facts_of(kind, name, size, dtype, device)) for name, device in places
    )


def check_names(condition: Filter) -> Filter:
    """Refuse a value that no operator could have, with its nearest match."""
    allowed = {
        "name": set(operators()),
        "category": {kind.category for kind in operators().values()},
        "framework": set(framework_names()),
        "dtype": set(DTYPES),
        "size": set(SIZES),
        "direction": set(DIRECTIONS),
        "status": set(STATUSES),
        "tag": {tag for kind in operators().values() for tag in kind.tags},
    }
    for field_name, names in allowed.items():
        lowered = {name.lower() for name in names}
        for value in sorted(condition.values(field_name)):
            if value.lower() not in lowered:
                raise UsageError(unknown(name_of(field_name), value, names))
    return condition


def nothing_matches(selection: Selection) -> str:
    """Return the line for a selection that leaves nothing, with the nearest match of each word."""
    names, categories = set(operators()), {kind.category for kind in operators().values()}
    near = (
        nearest(word, names) or nearest(word, categories)
        for word in parse(selection.text).words
        if not any(word.casefold() in name.casefold() for name in names | categories)
    )
    hints = [f"did you mean {name!r}?" for name in near if name]
    place = f"nothing matches {selection.text!r} on {', '.join(selection.frameworks)}"
    return "; ".join([place, *hints])


def name_of(field_name: str) -> str:
    """Return what an error calls a filter's field."""
    return "operator" if field_name == "name" else field_name

"""What is not the same about two environments, as far as it may change a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.history.model import Difference

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

IGNORED = ("load_average", "clock.read_cost", "gpu_state", "python.executable")
"""Facts that differ from one process to the next."""
FOREMOST = "instruction_sets"
"""What begins like this is named before the rest: it chooses the code that runs."""


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Return the facts that differ, by their dotted names; one that is missing is None.

    Those that older records do not have come no earlier than the rest.
    """
    old, new = dict(leaves("", before)), dict(leaves("", after))
    names = [name for name in {**old, **new} if not name.startswith(IGNORED)]
    names.sort(key=lambda name: not (name.startswith(FOREMOST) and name in old and name in new))
    return tuple(
        Difference(fact=name, before=old.get(name), after=new.get(name))
        for name in names
        if old.get(name) != new.get(name)
    )


def foremost(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Return the differences of the instruction sets that both environments name."""
    return tuple(
        each
        for each in differences(before, after)
        if each.fact.startswith(FOREMOST) and each.before is not None and each.after is not None
    )


def leaves(prefix: str, facts: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Yield each fact that is no mapping itself, by its dotted name."""
    for name, value in facts.items():
        if isinstance(value, dict):
            yield from leaves(f"{prefix}{name}.", value)
        else:
            yield f"{prefix}{name}", value

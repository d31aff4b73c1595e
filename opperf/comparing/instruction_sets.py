"""Which instruction sets two stored runs could use: where they differ, so may every time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from opperf.core.results.result import Result

PROCESSOR = "the processor"


def instruction_sets(results: Iterable[Result]) -> Mapping[str, set[str]]:
    """Return what the processor has, and what each library of a framework may use, where told."""
    found: dict[str, set[str]] = {}
    for result in results:
        if (has := result.environment.get("instruction_sets")) is not None:
            found.setdefault(PROCESSOR, set()).update(map(one_line, has))
        allowed = result.environment.get("instruction_sets_allowed") or {}
        for library, level in allowed.items():
            if level is not None:
                name = one_line(f"{result.operator.framework}'s {library}")
                found.setdefault(name, set()).add(one_line(level))
    return found


def differences(a: Iterable[Result], b: Iterable[Result]) -> Iterator[str]:
    """Yield a line for each in which the runs differ; what only one of them tells is none."""
    ours, theirs = instruction_sets(a), instruction_sets(b)
    for name in ours:
        if name in theirs and ours[name] != theirs[name]:
            first, second = ours[name] - theirs[name], theirs[name] - ours[name]
            yield f"{name}: A {list_text(first)}, B {list_text(second)}"


def one_line(value: object) -> str:
    """Return a text as a note of one line can name it."""
    return " ".join(str(value).split())


def list_text(words: set[str]) -> str:
    """Return what only one of the runs could use."""
    return " ".join(sorted(words)) or "nothing more"


def notes(a: Sequence[Result], b: Sequence[Result]) -> list[str]:
    """Return what a reader of the two runs side by side has to know of it."""
    found = [f"the runs could use different instruction sets: {each}" for each in differences(a, b)]
    if a and b and is_untold(a) != is_untold(b):
        found.append("one of the runs does not name the instruction sets that it could use")
    return found


def is_untold(results: Iterable[Result]) -> bool:
    """Return whether some result is of the time before records named the instruction sets."""
    return any("instruction_sets" not in result.environment for result in results)

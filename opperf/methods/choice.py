"""Which methods are meant: names split at commas, and looked up in a process of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import UsageError
from opperf.methods.lookup import FILTER, FORMS, compile_filter
from opperf.methods.process import run_job

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.methods.process import Surroundings

PAIRS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
LOOK_UP = 120.0
"""Seconds that modules have to be imported."""


def split_names(texts: Sequence[str]) -> list[str]:
    """Return the names in texts that have commas between them; none within a filter's brackets.

    Raises:
        UsageError: a name is empty, or a filter no regular expression.
    """
    names = [name.strip() for text in texts for name in split(text)]
    for name in names:
        if not name:
            raise UsageError(f"an empty name: {FORMS}")
        _, filtered, text = name.partition(FILTER)
        if filtered:
            compile_filter(text)
    return names


def split(text: str) -> list[str]:
    """Return what stands between the commas of a text that are in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth = max(depth + PAIRS.get(letter, 0), 0)
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def find_methods(names: Sequence[str], surroundings: Surroundings) -> list[str]:
    """Return the dotted paths of all methods that the names stand for.

    Their modules are imported in a process of its own: what they do to it ends with it.

    Raises:
        UsageError: a name stands for none, or importing its module ends the process.
    """
    ending, answered = run_job({"names": [*names]}, surroundings.within(LOOK_UP))
    if answered.fault:
        raise UsageError(answered.fault)
    if not answered.finished:
        why = ending.reason or "the process ended with status 0"
        said = ending.tail.strip().splitlines()[-1:]
        at = answered.name or ", ".join(names)
        raise UsageError(f"cannot import {at}: {'; '.join([why, *said])}")
    return answered.methods

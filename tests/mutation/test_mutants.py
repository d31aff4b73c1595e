"""Wrong copies of what measures and judges: the ordinary tests tell each from the right one."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

TABLES = ("measure", "statistics", "verdict")
"""Each in a module of its own, beside this one."""


def table(name: str) -> dict[str, tuple[str, str, str, str]]:
    """Return the mutants of a table: where, what stands there, what instead, who finds out."""
    path = Path(__file__).with_name(f"{name}_mutants.py")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: dict[str, tuple[str, str, str, str]] = module.MUTANTS
    return found


MUTANTS = [
    pytest.param(*mutant, id=f"{name}: {what}")
    for name in TABLES
    for what, mutant in table(name).items()
]
KILLERS = sorted({mutant.values[-1] for mutant in MUTANTS})


@pytest.mark.parametrize("killer", KILLERS)
def test_what_kills_mutants_passes_on_an_unchanged_copy(
    copy_of: Callable[..., Any], killer: str
) -> None:
    """So that a mutant dies of its change and not of being a copy."""
    assert not copy_of(None).fails(killer)


@pytest.mark.parametrize(("place", "old", "new", "killer"), MUTANTS)
def test_mutant_is_killed(
    make_mutant: Callable[..., Any],
    copy_of: Callable[..., Any],
    place: str,
    old: str,
    new: str,
    killer: str,
) -> None:
    """At least one ordinary test fails on the wrong copy."""
    assert copy_of(make_mutant(place=place, old=old, new=new)).fails(killer)

"""What is covered of each registry, decided from the callables that the tables name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import find_framework, require_installed
from opperf.coverage import mxnet, pytorch
from opperf.coverage.public import read_known

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.coverage.public import Known, Public


@dataclass(frozen=True)
class Coverage:
    """What is covered of one registry of a framework, and why the rest is not."""

    framework: str
    registry: str
    covered: Sequence[str]
    uncovered: Mapping[str, str]


def coverage(framework: str, tell: Callable[[str], None]) -> Sequence[Coverage]:
    """Return the coverage of each registry of a framework, which is imported.

    Args:
        framework: its name, mxnet or pytorch.
        tell: gets a line about a registry that cannot be asked.

    Raises:
        NotInstalledError: The framework is not installed.
        UsageError: It cannot be imported.
    """
    found = find_framework(framework)
    require_installed(found)
    known = read_known(framework)
    offered = public(found, known)
    registries = {**offered.registries, **tested_callables(found, offered, tell)}
    counted = covered_names(found, offered, known)
    return [
        Coverage(
            framework,
            registry,
            covered=[name for name in names if offered.same.get(name, name) in counted],
            uncovered={
                name: known.reason(offered.same.get(name, name))
                for name in names
                if offered.same.get(name, name) not in counted
            },
        )
        for registry, names in registries.items()
    ]


def public(framework: Framework, knowledge: Known) -> Public:
    """Import the framework and return what it offers; raise a UsageError where that fails."""
    adapter: Any = framework
    try:
        framework.load(threads=1)
    except UsageError:
        raise
    except Exception as error:  # a framework may raise anything while it is imported
        raise UsageError(f"framework {framework.name!r} cannot be imported: {error}") from error
    if framework.name == "mxnet":
        return mxnet.public(adapter.mxnet, knowledge)
    return pytorch.public(adapter.torch, knowledge)


def tested_callables(
    framework: Framework, public: Public, tell: Callable[[str], None]
) -> Mapping[str, Sequence[str]]:
    """Return the registry of PyTorch's own tests, OpInfo; none for others."""
    if framework.name != "pytorch":
        return {}
    try:
        return {"OpInfo": pytorch.tested_callables(cast("Any", framework).torch, public)}
    except ImportError as error:
        tell(f"OpInfo is left out, for it cannot be imported: {error}")
        return {}


def table_callables(framework: Framework) -> Sequence[str]:
    """Return the dotted names of all callables that a framework's table names."""
    names: dict[str, None] = {}
    for entry in framework.table.values():
        for implementation in entry.implementations():
            names.update(dict.fromkeys(implementation.name.split(" + ")))
    return [*names]


def covered_names(framework: Framework, public: Public, knowledge: Known) -> set[str]:
    """Return under which names what a table names counts; what is in no registry, under its own."""
    return {
        public.same.get(name, name)
        for dotted in table_callables(framework)
        for name in knowledge.runs.get(dotted, [dotted])
    }

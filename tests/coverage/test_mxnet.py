"""What MXNet's functions in Python run is what its profiler sees them run."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.implementation import Implementation
from opperf.core.frameworks.registry import find_framework
from opperf.coverage import count, mxnet
from opperf.coverage.public import read_known
from opperf.measuring.attempt import Attempt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

DIRECT = ("mxnet.nd", "mxnet.nd.contrib", "mxnet.nd.image", "mxnet.nd.linalg")
FRAMEWORK = find_framework("mxnet")
KNOWN = read_known("mxnet")


def indirect(name: str) -> bool:
    """Tell whether a table names a function that may be written in Python and that counts."""
    if " + " in name or any(fnmatchcase(name, pattern) for pattern in KNOWN.beyond):
        return False
    return name in KNOWN.runs or name.rpartition(".")[0] not in DIRECT


def cases() -> Mapping[str, Sequence[Any]]:
    """Return the operators by the function that a table names for them."""
    found: dict[str, list[Any]] = {}
    for kind, entry in FRAMEWORK.table.items():
        if isinstance(entry, Implementation) and indirect(entry.name):
            found.setdefault(entry.name, []).append(kind)
    return found


@pytest.fixture(scope="module")
def names() -> Mapping[str, str]:
    """Return under which name each counts, by its dotted and by its registered names."""
    if not FRAMEWORK.is_installed():
        pytest.skip("mxnet is not installed")
    same = count.public(FRAMEWORK, KNOWN).same
    module = FRAMEWORK.mxnet  # type: ignore[attr-defined]
    registered = {
        name: same[place]
        for alike in mxnet.registered_names(module)
        for place in {place for name in alike for place in mxnet.places(module, name, KNOWN)}
        for name in alike
    }
    return {**same, **registered}


@pytest.mark.parametrize(("name", "kinds"), cases().items(), ids=cases())
def test_a_function_runs_what_it_counts_as(
    name: str, kinds: Sequence[Any], names: Mapping[str, str], tmp_path: Path
) -> None:
    """No operator counts as covered that none of the calls runs."""
    ran = {names.get(operator) for kind in kinds for operator in profiled(kind, tmp_path)}
    assert {names[target] for target in KNOWN.runs.get(name, [name])} <= ran


def profiled(kind: Any, folder: Path) -> Sequence[str]:
    """Return the registered names that MXNet's profiler sees in a forward call."""
    module = FRAMEWORK.mxnet  # type: ignore[attr-defined]
    module.profiler.set_config(
        profile_imperative=True, aggregate_stats=True, filename=str(folder / "profile.json")
    )
    attempt = Attempt(
        kind(size="small"), FRAMEWORK, "cpu", Settings(), check_only=True, obey_limitations=False
    )
    module.profiler.dumps(reset=True)
    module.profiler.set_state("run")
    try:
        attempt.outcome("only", "forward")
    finally:
        module.nd.waitall()
        module.profiler.set_state("stop")
    seen = json.loads(module.profiler.dumps(reset=True, format="json"))
    return [*seen["Time"]["operator"]]

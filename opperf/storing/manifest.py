"""run.json: what a run, a sweep or a comparison was asked to do.

History of the format:

* opperf.run/1 (2026-11): the first. `selection` has had `devices` in place of `device`, and
  `threads`, since 2026-11-21; `retry` has been there since 2026-11-22. Since 2026-11-23 a
  comparison's rules have `metric`, and a run of a network's calls has `calls`: the file beside it
  that holds them, and `wrong_calls`: how many were left out of it; a comparison of such calls
  has the file, and `networks`. A script task's has the `kind` "task", and its section in place of
  a selection; that of benchmark methods the `kind` "method", and their names; that of what tests
  have measured the `kind` "pytest"; that of networks the `kind` "model", and their tasks.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from opperf.core.errors import UsageError
from opperf.core.results.conversion import record_part
from opperf.core.results.parts import Number, Positive, Whole
from opperf.storing.document import LONGEST, parse
from opperf.storing.manifest_parts import (
    ArmsManifest,
    LimitsManifest,
    Memory,
    ModelTaskManifest,
    RulesManifest,
    Sessions,
    SettingsManifest,
)
from opperf.storing.method_manifest import MethodComparisonManifest, MethodManifest

SCHEMA = "opperf.run/1"
COMPARISON = "ab"
"""The `kind` of a comparison's manifest; a run's has none."""
TASK_RUN = "task"
"""The `kind` of a script task's manifest."""
METHOD_RUN = "method"
"""The `kind` of the manifest of benchmark methods."""
PYTEST_RUN = "pytest"
"""The `kind` of the manifest of what tests have measured."""
MODEL_RUN = "model"
"""The `kind` of the manifest of networks."""


class SelectionManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to measure."""

    text: str
    frameworks: list[str]
    dtype: str
    sizes: list[str]
    inputs: dict[str, Any]
    settings: SettingsManifest
    device: str | UnsetType = UNSET
    devices: list[str] | UnsetType = UNSET
    threads: list[Positive] | UnsetType = UNSET
    check_only: bool | UnsetType = UNSET
    memory_limit: Memory | None = None
    sweep: bool | UnsetType = UNSET


class SourceManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """What the network of a comparison's calls is made from again."""

    kind: str
    name: str
    batch: Positive | None
    mode: str
    device: str
    inputs: dict[str, list[Whole]] | UnsetType = UNSET


class AnyManifest(Struct, kw_only=True):
    """What every manifest has."""

    run_id: str
    created_at: str
    command: str
    kind: str | None = None
    selection: SelectionManifest
    limits: LimitsManifest


class RunManifest(AnyManifest, kw_only=True):
    """A run, or a sweep."""

    tags: list[str]
    variables: dict[str, str]
    packages: dict[str, str]
    retry: str | UnsetType = UNSET
    calls: str | UnsetType = UNSET
    wrong_calls: Whole | UnsetType = UNSET


class ComparisonManifest(AnyManifest, kw_only=True):
    """A comparison."""

    arms: ArmsManifest
    rules: RulesManifest
    budget: Number | None
    strict: bool
    calls: str | UnsetType = UNSET
    networks: list[SourceManifest] | UnsetType = UNSET
    models: list[ModelTaskManifest] | UnsetType = UNSET


class TaskManifest(Struct, kw_only=True):
    """A script task, its section as the tasks file had it."""

    run_id: str
    created_at: str
    command: str
    kind: str
    tags: list[str]
    variables: dict[str, str]
    task: dict[str, str]
    task_name: str
    num_gpus: Whole
    sessions: Sessions


class TaskComparisonManifest(Struct, kw_only=True):
    """A comparison of a script task."""

    run_id: str
    created_at: str
    command: str
    kind: str
    task: dict[str, str]
    task_name: str
    num_gpus: Whole
    time_limit: Number | None
    arms: ArmsManifest
    rules: RulesManifest
    budget: Number | None
    strict: bool


class PytestManifest(Struct, kw_only=True):
    """What tests have measured, by what pytest was started with."""

    run_id: str
    created_at: str
    command: str
    kind: str
    tags: list[str]


class ModelManifest(Struct, kw_only=True):
    """Networks, as the tasks that their children are handed."""

    run_id: str
    created_at: str
    command: str
    kind: str
    tags: list[str]
    variables: dict[str, str]
    packages: dict[str, str]
    limits: LimitsManifest
    sessions: Sessions
    tasks: list[ModelTaskManifest]
    logs: list[str] | UnsetType = UNSET


KINDS: dict[str, type[Struct]] = {
    COMPARISON: ComparisonManifest,
    TASK_RUN: TaskManifest,
    METHOD_RUN: MethodManifest,
    PYTEST_RUN: PytestManifest,
    MODEL_RUN: ModelManifest,
}


def parse_manifest(data: bytes) -> dict[str, Any]:
    """Return the JSON object that a manifest is, of a version that this opperf knows.

    Raises:
        UsageError: It is none.
    """
    document = parse(data) if len(data) <= LONGEST else None
    if not isinstance(document, dict):
        raise UsageError(f"not a JSON object of at most {LONGEST >> 20} MiB")
    if document.get("schema") != SCHEMA:
        version = str(document.get("schema"))[:40]
        raise UsageError(f"unknown run version {version!r}; this opperf reads {SCHEMA}")
    return document


def check_manifest(document: dict[str, Any]) -> dict[str, Any]:
    """Return a manifest of which every field is what it must be.

    Raises:
        UsageError: One is not; names it.
    """
    kind = KINDS.get(str(document.get("kind")), RunManifest)
    if kind is ComparisonManifest and "task" in document:
        kind = TaskComparisonManifest
    elif kind is ComparisonManifest and "methods" in document:
        kind = MethodComparisonManifest
    record_part(document, kind)
    return document

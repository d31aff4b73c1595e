"""run.json: what a run, a sweep or a comparison was asked to do.

History of the format:

* opperf.run/1 (2026-11): the first. `selection` has had `devices` in place of `device`, and
  `threads`, since 2026-11-21; `retry` has been there since 2026-11-22. Since 2026-11-23 a
  comparison's rules have `metric`, and a run of a network's calls has `calls`: the file beside it
  that holds them, and `wrong_calls`: how many were left out of it; a comparison of such calls
  has the file, and `networks`. A script task's has the `kind` "task", and its section in place of
  a selection; that of benchmark methods the `kind` "method", and their names; that of what tests
  have measured the `kind` "pytest"; that of networks the `kind` "model", and their tasks; that of
  specifications' tests the `kind` "spec", and their tasks. That of a comparison of several arms has
  them by their names, and `reference`, the name of one of them.
  A run that repeats rows of another has `again`: which.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from opperf.core.errors import UsageError, unknown
from opperf.core.results.conversion import record_part
from opperf.core.results.parts import Number, Positive, Whole
from opperf.storing.document import LONGEST, parse
from opperf.storing.manifest_parts import (
    ArmEntryManifest,
    ArmsManifest,
    LimitsManifest,
    Memory,
    ModelTaskManifest,
    RulesManifest,
    Sessions,
    SettingsManifest,
)
from opperf.storing.method_manifest import MethodComparisonManifest, MethodManifest
from opperf.storing.spec_manifest import SpecsManifest, SpecTaskManifest

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
SPEC_RUN = "spec"
"""The `kind` of the manifest of specifications' tests."""


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


class RepetitionManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """Which rows of which run a run measures again."""

    run: str
    only: list[str]
    filter: str


class RunManifest(AnyManifest, kw_only=True):
    """A run, or a sweep."""

    tags: list[str]
    variables: dict[str, str]
    packages: dict[str, str]
    retry: str | UnsetType = UNSET
    again: RepetitionManifest | UnsetType = UNSET
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
    specs: list[SpecTaskManifest] | UnsetType = UNSET


class ArmsComparisonManifest(AnyManifest, kw_only=True):
    """A comparison of several arms with one of them."""

    arms: dict[str, ArmEntryManifest]
    reference: str
    rules: RulesManifest
    budget: Number | None
    strict: bool
    calls: str | UnsetType = UNSET
    networks: list[SourceManifest] | UnsetType = UNSET
    models: list[ModelTaskManifest] | UnsetType = UNSET
    specs: list[SpecTaskManifest] | UnsetType = UNSET


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
    SPEC_RUN: SpecsManifest,
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
    elif kind is ComparisonManifest and "reference" in document:
        kind = ArmsComparisonManifest
    record_part(document, kind)
    if kind is ArmsComparisonManifest:
        check_arms(document["arms"], document["reference"])
    return document


def check_arms(arms: dict[str, Any], reference: str) -> None:
    """Refuse a reference that is none of the arms, or too few of them."""
    if reference not in arms:
        raise UsageError(unknown("reference", reference, arms))
    if len(arms) == 1:
        raise UsageError("field 'arms' has one arm; a comparison has two at least")

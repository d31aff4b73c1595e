"""Parts that several kinds of manifest have."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from opperf.core.results.parts import Number, Positive, Whole
from opperf.core.units import LARGEST as MOST_BYTES
from opperf.core.units import LONGEST as MOST_SECONDS

MOST_SESSIONS = 1000
"""Of a comparison, a script task, a benchmark method or networks."""
Memory = Annotated[int, Meta(ge=1, le=int(MOST_BYTES))]
Seconds = Annotated[float, Meta(ge=1e-9, le=MOST_SECONDS)]
Sessions = Annotated[int, Meta(ge=1, le=MOST_SESSIONS)]
Share = Annotated[float, Meta(ge=0, le=1)]


class SettingsManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """How to measure."""

    precision: Number | UnsetType = UNSET
    budget: Number | UnsetType = UNSET
    warmup: Whole | None = None
    runs: Whole | None = None
    cores: Whole | None = None
    threads: Whole | UnsetType = UNSET
    seed: Whole | UnsetType = UNSET
    cache: str | UnsetType = UNSET
    process: str | UnsetType = UNSET


class LimitsManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """How long a row may take, and how much memory."""

    timeout: Seconds
    compile_timeout: Seconds
    memory: Memory | None
    together: Memory | None = None


class ModelTaskManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """A network on a framework, and what it is to do."""

    operator: str
    framework: str
    device: str
    size: str
    inputs: dict[str, Any]
    rows: list[list[str]]
    settings: SettingsManifest
    check_only: bool
    companion: bool
    request: dict[str, Any]


class ArmManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """One side of a comparison."""

    text: str
    python: str
    requirements: list[str]
    variables: dict[str, str]
    lock: str | None = None
    lock_sha256: str | None = None


class ArmsManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """Both sides."""

    a: ArmManifest
    b: ArmManifest


class ArmEntryManifest(ArmManifest, kw_only=True, forbid_unknown_fields=True):
    """One of several arms."""

    name: str
    threads: Positive | None
    dtype: str | None
    compile: bool
    failure: str | None


class RulesManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """When a comparison has seen enough."""

    first: Sessions
    most: Sessions
    min_effect: Share
    metric: str | UnsetType = UNSET

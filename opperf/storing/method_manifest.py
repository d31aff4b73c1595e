"""run.json of benchmark methods, and of a comparison of them."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from opperf.core.results.parts import Number
from opperf.storing.manifest_parts import ArmsManifest, RulesManifest, Seconds, Sessions


class MethodComparisonManifest(Struct, kw_only=True):
    """A comparison of benchmark methods."""

    run_id: str
    created_at: str
    command: str
    kind: str
    methods: list[str]
    data_dir: str
    python_paths: list[str]
    time_limit: Seconds | None
    arms: ArmsManifest
    rules: RulesManifest
    budget: Number | None
    strict: bool


class MethodManifest(Struct, kw_only=True):
    """Benchmark methods, by their dotted paths."""

    run_id: str
    created_at: str
    command: str
    kind: str
    tags: list[str]
    variables: dict[str, str]
    methods: list[str]
    data_dir: str
    python_paths: list[str]
    timeout: Seconds | None
    sessions: Sessions | UnsetType = UNSET
    windows: list[str] | UnsetType = UNSET

"""run.json of specifications' tests, as the tasks that their children are handed."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from opperf.core.results.parts import Number, Positive, Whole
from opperf.storing.manifest_parts import LimitsManifest, Seconds, Sessions, SettingsManifest


class SpecModelManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """A model, its files where the model cache had put them."""

    name: str
    format: str
    files: dict[str, str]
    digests: dict[str, str]
    options: dict[str, Any]
    trust: bool


class SpecInputManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """An input tensor."""

    name: str
    shape: list[Whole]
    dtype: str
    file: str | None
    below: Positive | None


class SpecTaskManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """A test on a framework."""

    operator: str
    framework: str
    device: str
    size: str
    inputs: dict[str, Any]
    rows: list[list[str]]
    settings: SettingsManifest
    check_only: bool
    companion: bool
    model: SpecModelManifest
    identifier: str
    metric: str
    tensors: list[SpecInputManifest]
    golden: dict[str, str]
    rtol: Number | None
    atol: Number | None
    profile: bool
    batch: Positive | None
    timeout: Seconds | None
    save: str | None
    meta: dict[str, Any]


class SpecsManifest(Struct, kw_only=True):
    """Tests of specifications, and the interpreter that runs them."""

    run_id: str
    created_at: str
    command: str
    kind: str
    tags: list[str]
    variables: dict[str, str]
    packages: dict[str, str]
    limits: LimitsManifest
    sessions: Sessions
    python: str
    tasks: list[SpecTaskManifest]

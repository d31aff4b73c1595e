"""Parts that the manifests of several kinds have."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from opperf.core.units import LARGEST as MOST_BYTES
from opperf.core.units import LONGEST as MOST_SECONDS

MOST_SESSIONS = 1000
"""Of a comparison, a script task, or a benchmark method."""

Memory = Annotated[int, Meta(ge=1, le=int(MOST_BYTES))]
Seconds = Annotated[float, Meta(ge=1e-9, le=MOST_SECONDS)]
Sessions = Annotated[int, Meta(ge=1, le=MOST_SESSIONS)]
Share = Annotated[float, Meta(ge=0, le=1)]


class ArmManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """One side of a comparison."""

    text: str
    python: str
    requirements: list[str]
    variables: dict[str, str]


class ArmsManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """Both sides."""

    a: ArmManifest
    b: ArmManifest


class RulesManifest(Struct, kw_only=True, forbid_unknown_fields=True):
    """When a comparison has seen enough."""

    first: Sessions
    most: Sessions
    min_effect: Share
    metric: str | UnsetType = UNSET

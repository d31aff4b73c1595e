"""The JSON Schema of a specification file, derived from its classes."""

from __future__ import annotations

from typing import Any

from msgspec.json import schema_components

from opperf.core.results.json_schema import DIALECT
from opperf.specs.format.document import (
    SCHEMA,
    FileRecord,
    SpecInputRecord,
    SpecListRecord,
    SpecRecord,
)

CLOSED = (SpecRecord, SpecListRecord, FileRecord, SpecInputRecord)
"""A model, a test and meta may hold further values, for placeholders and reports."""


def spec_schema() -> dict[str, Any]:
    """Return the schema: a specification, or a list of them."""
    kinds = (SpecRecord, SpecListRecord)
    either, parts = schema_components(kinds, ref_template="#/$defs/{name}")
    for part in parts.values():
        part["description"] = " ".join(part["description"].split())
    for kind in CLOSED:
        parts[kind.__name__]["additionalProperties"] = False
    for kind in kinds:
        parts[kind.__name__]["properties"]["schema"] = {"const": SCHEMA}
    return {"$schema": DIALECT, "$id": SCHEMA, "anyOf": [*either], "$defs": parts}

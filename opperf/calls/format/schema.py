"""The JSON Schema of a calls file, derived from its classes."""

from __future__ import annotations

from typing import Any

from msgspec.json import schema_components

from opperf.calls.format.model import SCHEMA, CallsRecord
from opperf.core.results.json_schema import DIALECT


def calls_schema() -> dict[str, Any]:
    """Return the schema: a field that has a default may be left out, an unknown one may not be."""
    _, parts = schema_components([CallsRecord], ref_template="#/$defs/{name}")
    for part in parts.values():
        part["description"] = " ".join(part["description"].split())
    record = parts.pop(CallsRecord.__name__)
    record["properties"]["schema"] = {"const": SCHEMA}
    record["required"].append("schema")
    return {"$schema": DIALECT, "$id": SCHEMA, **record, "$defs": parts}

"""The JSON Schema of a record, derived from its classes: what this version writes."""

from __future__ import annotations

from typing import Any

from msgspec.json import schema_components

from opperf.core.results.environment import EnvironmentRecord
from opperf.core.results.identity import SCHEMA
from opperf.core.results.result import Result

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def record_schema() -> dict[str, Any]:
    """Return the schema of a result: each field that has a default is written all the same."""
    kinds = [Result, EnvironmentRecord]
    (_, environment), parts = schema_components(kinds, ref_template="#/$defs/{name}")
    for part in parts.values():
        part["description"] = " ".join(part["description"].split())
        fields = part["properties"]
        part["required"] = [
            name for name in fields if "default" in fields[name] or name in part["required"]
        ]
        part["additionalProperties"] = False
        for field in fields.values():
            field.pop("default", None)
    parts[EnvironmentRecord.__name__] |= {"required": [], "additionalProperties": True}
    record = parts.pop(Result.__name__)
    record["properties"]["environment"] |= environment
    record["properties"]["schema"] = {"const": SCHEMA}
    return {"$schema": DIALECT, "$id": SCHEMA, **record, "$defs": parts}

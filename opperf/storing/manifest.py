"""run.json: what a run, a sweep or a comparison was asked to do.

History of the format:

* opperf.run/1 (2026-11): the first. `selection` has had `devices` in place of `device`, and
  `threads`, since 2026-11-21; `retry` has been there since 2026-11-22.
"""

from __future__ import annotations

from typing import Any

from opperf.core.errors import UsageError
from opperf.core.results.forms import (
    ANY_OBJECT,
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    Form,
    check,
    list_of,
    object_of,
)
from opperf.core.units import LARGEST as MOST_BYTES
from opperf.core.units import LONGEST as MOST_SECONDS
from opperf.storing.document import LONGEST, parse

SCHEMA = "opperf.run/1"
COMPARISON = "ab"
"""The `kind` of a comparison's manifest; a run's has none."""
MOST_SESSIONS = 1000
"""Of a comparison."""

SETTINGS = Form({
    **dict.fromkeys(("precision", "budget"), NUMBER.or_missing),
    **dict.fromkeys(("warmup", "runs", "cores"), WHOLE.or_absent),
    **dict.fromkeys(("threads", "seed"), WHOLE.or_missing),
    **dict.fromkeys(("cache", "process"), TEXT.or_missing),
}, closed=True)  # fmt: skip
SELECTION = Form({
    "text": TEXT, "frameworks": list_of(TEXT), "dtype": TEXT, "sizes": list_of(TEXT),
    "inputs": ANY_OBJECT, "settings": object_of(SETTINGS), "device": TEXT.or_missing,
    "devices": list_of(TEXT).or_missing, "threads": list_of(WHOLE.at_least(1)).or_missing,
    "check_only": TRUTH.or_missing, "memory_limit": WHOLE.between(1, MOST_BYTES).or_absent,
    "sweep": TRUTH.or_missing,
}, closed=True)  # fmt: skip
LIMITS = Form({
    **dict.fromkeys(("timeout", "compile_timeout"), NUMBER.between(1e-9, MOST_SECONDS)),
    "memory": WHOLE.between(1, MOST_BYTES).or_null,
    "together": WHOLE.between(1, MOST_BYTES).or_absent,
}, closed=True)  # fmt: skip
ARM = Form({
    "text": TEXT, "python": TEXT, "requirements": list_of(TEXT), "variables": object_of(TEXT),
}, closed=True)  # fmt: skip
RULES = Form({
    **dict.fromkeys(("first", "most"), WHOLE.between(1, MOST_SESSIONS)),
    "min_effect": NUMBER.between(0, 1),
}, closed=True)  # fmt: skip
ANY = Form({
    **dict.fromkeys(("run_id", "created_at", "command"), TEXT), "kind": TEXT.or_absent,
    "selection": object_of(SELECTION), "limits": object_of(LIMITS),
})  # fmt: skip
RUN = Form({
    "tags": list_of(TEXT), "variables": object_of(TEXT), "packages": object_of(TEXT),
    "retry": TEXT.or_missing,
})  # fmt: skip
COMPARING = Form({
    "arms": object_of(Form({"a": object_of(ARM), "b": object_of(ARM)}, closed=True)),
    "rules": object_of(RULES), "budget": NUMBER.or_null, "strict": TRUTH,
})  # fmt: skip


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
    check("", document, ANY)
    check("", document, COMPARING if document.get("kind") == COMPARISON else RUN)
    return document

"""Specifications that tests read: as small as they can be."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


def spec(**test: Any) -> dict[str, Any]:
    """Return a specification with one test, of which these fields are others."""
    given = {"identifier": "{ID}", "metric": "delay", "inputs": {"data": {"shapes": [[1, 3]]}}}
    model = {"name": "net", "format": "torchscript", "files": {"model": "net.pt"}}
    return {"model": model, "tests": [{**given, **test}]}


def written(folder: Path, document: object, name: str = "net.json") -> Path:
    """Write JSON, or text as it is, and return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path

"""The model that a specification names, as it is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.errors import quote
from opperf.specs.format.expanded import ModelSpec
from opperf.specs.format.files import FileReader
from opperf.specs.format.placeholders import scalars

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from opperf.specs.format.document import ModelRecord
    from opperf.specs.format.place import Place


def model_spec(
    record: ModelRecord, document: Mapping[str, Any], folder: Path, place: Place
) -> ModelSpec:
    """Return a specification's model."""
    here = place / "model"
    if not record.name.isprintable():
        raise (here / "name").fault(f"{quote(record.name)}: must be printable")
    files = FileReader(folder, scalars(document.get("meta", {}), document["model"]))
    libraries = record.libraries
    named = libraries.items() if isinstance(libraries, dict) else enumerate(libraries)
    return ModelSpec(
        name=record.name,
        format=record.format,
        files=files.specs(record.files, here / "files"),
        framework=record.framework,
        factory=record.factory,
        options=record.options,
        libraries=tuple(files.spec(file, here / "libraries" / key) for key, file in named),
        data_downloads=record.data_downloads,
        place=str(here),
    )

"""The files that a specification names: of its model, of inputs and of golden outputs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from opperf.specs.format.document import FileRecord
from opperf.specs.format.expanded import FileSpec
from opperf.specs.format.placeholders import fill_wholly

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.specs.format.document import File
    from opperf.specs.format.place import Place

ALONE = (".", "..", "")


@dataclass(frozen=True)
class FileReader:
    """What files of one specification have in common.

    Args:
        folder: of the specification.
        values: of placeholders.

    """

    folder: Path
    values: Mapping[str, Any]

    def spec(self, record: File, place: Place) -> FileSpec:
        """Return a file as the model cache takes it.

        Raises:
            UsageError: A placeholder has no value, or its name would be a folder.
        """
        if isinstance(record, str):
            location = fill_wholly(record, self.values, place)
            name = PurePosixPath(location.split("?")[0]).name
            record = FileRecord(filename=name or "", location=location)
        location = fill_wholly(record.location, self.values, place)
        filename = fill_wholly(record.filename, self.values, place)
        if filename in ALONE or "/" in filename:
            raise place.fault(f"filename {filename!r}: must be a name without a folder")
        if any(not text.isprintable() for text in (location, filename)):
            raise place.fault("holds a control character")
        return FileSpec(
            filename=filename,
            location=location,
            md5=(record.md5 or "").lower() or None,
            sha256=(record.sha256 or "").lower() or None,
            folder=self.folder,
            place=str(place),
        )

    def specs(self, records: Mapping[str, File], place: Place) -> dict[str, FileSpec]:
        """Return files by their role."""
        return {name: self.spec(record, place / name) for name, record in records.items()}


def file_each(
    lists: Mapping[str, File | tuple[File, ...]], number: int, place: Place
) -> Iterator[tuple[str, File, Place]]:
    """Yield the file of each name that the number-th test of a group takes, and where it stands."""
    for name, files in lists.items():
        if not isinstance(files, tuple):
            yield name, files, place / name
        else:
            index = number if len(files) > 1 else 0
            yield name, files[index], place / name / index

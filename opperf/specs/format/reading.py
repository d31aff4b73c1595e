"""Reading a specification, or a list of them: every error is one line with file and JSON path."""

from __future__ import annotations

from dataclasses import dataclass, field
from os.path import normpath
from typing import TYPE_CHECKING, Any

from opperf.core.errors import quote_path
from opperf.specs.format.document import MOST_ENTRIES, MOST_SHAPES, SpecListRecord, SpecRecord
from opperf.specs.format.expanded import Specification
from opperf.specs.format.expansion import SpecExpansion
from opperf.specs.format.fields import check_fields, ignored_fields
from opperf.specs.format.merging import deep_merge
from opperf.specs.format.model import model_spec
from opperf.specs.format.place import Place
from opperf.specs.format.placeholders import replace_in
from opperf.specs.format.source import read_json
from opperf.specs.format.strict import strict_part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

DEEPEST_LIST = 20
"""Lists within each other."""


def read_specifications(
    path: Path, *, variables: Mapping[str, str] | None = None, meta: Mapping[str, Any] | None = None
) -> tuple[Specification, ...]:
    """Return the specifications of a file: its own, or those that it lists, in order.

    Args:
        path: the file.
        variables: texts for placeholders, wherever they stand.
        meta: shared by all, where no file says otherwise.

    Raises:
        UsageError: One is wrong; names its file, the JSON path and what is allowed.
    """
    reader = SpecReader(variables or {})
    return tuple(reader.read(path, meta or {}, ()))


@dataclass
class SpecReader:
    """Reads a file and those that it lists; counts them and their tests."""

    variables: Mapping[str, str]
    files: int = field(default=0, init=False)
    tests: int = field(default=0, init=False)

    def read(
        self, path: Path, meta: Mapping[str, Any], above: tuple[Path, ...]
    ) -> Iterator[Specification]:
        """Yield the specifications of a file; `above` are the lists that lead to it."""
        document = replace_in(read_json(path), self.variables)
        place = Place(normpath(path))
        check_fields(document, place)
        if "benchmarks" not in document:
            found = specification(document, path, meta, place)
            self.tests += len(found.tests)
            if self.tests > MOST_SHAPES:
                raise place.fault(f"more than {MOST_SHAPES} tests in all")
            yield found
            return
        record = strict_part(document, SpecListRecord, place)
        shared = deep_merge(document.get("meta", {}), meta)
        chain = (*above, path.resolve())
        for number, listed in enumerate(record.benchmarks):
            here = place / "benchmarks" / number
            self.files += 1
            if self.files > MOST_ENTRIES:
                raise here.fault(f"more than {MOST_ENTRIES} specifications are listed")
            yield from self.read_listed(path.parent / listed, shared, chain, here)

    def read_listed(
        self, path: Path, meta: Mapping[str, Any], chain: tuple[Path, ...], place: Place
    ) -> Iterator[Specification]:
        """Yield the specifications of a file that a list names.

        Raises:
            UsageError: The file lists itself, by whatever way, or cannot be read.
        """
        try:
            target = path.resolve()
            is_there = target.exists()
        except (OSError, ValueError, RuntimeError) as error:
            raise place.fault(getattr(error, "strerror", None) or str(error)) from None
        if target in chain:
            names = [each.name for each in (*chain[chain.index(target) :], target)]
            raise place.fault(f"lists itself: {' -> '.join(map(quote_path, names))}")
        if len(chain) > DEEPEST_LIST:
            raise place.fault(f"more than {DEEPEST_LIST} lists within each other")
        if not is_there:
            raise place.fault(f"{quote_path(normpath(path))}: no such file")
        yield from self.read(path, meta, chain)


def specification(
    document: dict[str, Any], path: Path, meta: Mapping[str, Any], place: Place
) -> Specification:
    """Return what a file with a model and tests says."""
    record = strict_part(document, SpecRecord, place)
    folder = path.parent.absolute()
    expansion = SpecExpansion(
        document=document,
        model=record.model,
        tests=record.tests,
        meta=deep_merge(document.get("meta", {}), meta),
        folder=folder,
        place=place,
    )
    return Specification(
        path=path,
        model=model_spec(record.model, document, folder, place),
        tests=expansion.make_tests(),
        ignored=tuple(ignored_fields(document, place)),
    )

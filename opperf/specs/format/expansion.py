"""From a specification as it is written to its tests: merged, numbered, placeholders filled."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from opperf.core.errors import quote, unknown
from opperf.specs.format.alternatives import count_of, inputs_of
from opperf.specs.format.document import (
    MOST_ENTRIES,
    MOST_SHAPES,
    SharedRecord,
    SpecTestRecord,
)
from opperf.specs.format.expanded import SpecTest
from opperf.specs.format.files import FileReader, file_each
from opperf.specs.format.merging import deep_merge
from opperf.specs.format.placeholders import fill_bounded, fill_wholly, scalars
from opperf.specs.metrics import ERROR, METRICS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from opperf.specs.format.document import ModelRecord
    from opperf.specs.format.place import Place

SHARED = SharedRecord.__struct_fields__
DESCRIPTIONS = ("category", "description", "kind")
"""Fields of a model that say what it is, to people."""
LONGEST_NAME = 200
MOST_TENSORS = 100_000
MOST_TEXT = 2**24
"""Characters of the command lines of all tests of a model."""


@dataclass(frozen=True)
class SpecExpansion:
    """One specification whose tests are to be made.

    Args:
        document: its JSON, variables replaced.
        model: its model.
        tests: as they are written.
        meta: shared by all of its tests, from lists above as well.
        folder: of its file.
        place: its top.

    """

    document: Mapping[str, Any]
    model: ModelRecord
    tests: tuple[SpecTestRecord, ...]
    meta: Mapping[str, Any]
    folder: Path
    place: Place

    def make_tests(self) -> tuple[SpecTest, ...]:
        """Return the tests, numbered from 0.

        Raises:
            UsageError: One is wrong, two have the same name, or there are too many.
        """
        refuse_long(self.shared_meta, self.place / "meta")
        found: list[SpecTest] = []
        written = 0
        for number, record in enumerate(self.tests):
            place = self.place / "tests" / number
            count = count_of(record, place)
            refuse_many(len(found) + count, count * len(record.inputs), place)
            group = self.group(record, number)
            for part in range(count):
                found.append(group.test(part, len(found)))
                written += sum(map(len, found[-1].command_lines))
                if written > MOST_TEXT:
                    raise place.fault(f"command lines of more than {MOST_TEXT} characters in all")
        self.refuse_twins(found)
        return tuple(found)

    @cached_property
    def shared_meta(self) -> dict[str, Any]:
        """What is said of all tests and is no setting of theirs."""
        said = {
            name: value for name in DESCRIPTIONS if (value := getattr(self.model, name)) is not None
        }
        above = {name: value for name, value in self.meta.items() if name not in SHARED}
        return deep_merge(self.model.meta, deep_merge(above, said))

    @cached_property
    def shared_values(self) -> dict[str, Any]:
        """What placeholders of all tests stand for."""
        return scalars(self.meta, self.document["model"])

    @cached_property
    def shared_settings(self) -> dict[str, Any]:
        """What holds for a test that says nothing itself."""
        return deep_merge(shared_of(self.document["model"]), shared_of(self.meta))

    def group(self, record: SpecTestRecord, number: int) -> SpecGroup:
        """Return the tests that one test of the file stands for."""
        place = self.place / "tests" / number
        raw = self.document["tests"][number]
        if record.metric not in METRICS:
            raise (place / "metric").fault(unknown("metric", record.metric, METRICS))
        return SpecGroup(
            record=record,
            settings=deep_merge(shared_of(raw), self.shared_settings),
            values=ChainMap(scalars(raw), self.shared_values),
            meta=deep_merge(record.meta, self.shared_meta) if record.meta else self.shared_meta,
            folder=self.folder,
            place=place,
        )

    def refuse_twins(self, tests: list[SpecTest]) -> None:
        """Refuse two tests of a metric with one name: their results could not be told apart."""
        first: dict[tuple[str, str], SpecTest] = {}
        for test in tests:
            other = first.setdefault((test.identifier, test.metric), test)
            if other is not test:
                raise self.place.fault(
                    f"tests {other.index} and {test.index} are both {test.metric} "
                    f"{test.identifier!r}; write {{ID}} into identifier"
                )


@dataclass(frozen=True, kw_only=True)
class SpecGroup:
    """The tests that one test of a file stands for, and what they have in common.

    Args:
        record: as it is written.
        settings: its own and shared ones.
        values: of placeholders.
        meta: its own and shared.
        folder: of its file.
        place: where it stands.

    """

    record: SpecTestRecord
    settings: Mapping[str, Any]
    values: ChainMap[str, Any]
    meta: Mapping[str, Any]
    folder: Path
    place: Place

    def test(self, part: int, index: int) -> SpecTest:
        """Return the part-th of them, which is the index-th of its file."""
        record, place, settings = self.record, self.place, self.settings
        values = self.values.new_child({"ID": index, "INDEX": index})
        files = FileReader(self.folder, values)
        commands = settings.get("commands") or {}
        lines = tuple(fill_bounded(line, values, place) for line in command_lines(record, commands))
        inputs = inputs_of(record, part, files, place)
        if not inputs and not lines:
            raise (place / "inputs").fault("is missing")
        if record.metric == ERROR and not record.output_files:
            what = "is missing: metric error compares outputs with golden ones"
            raise (place / "output_files").fault(what)
        golden = {
            name: files.spec(file, here)
            for name, file, here in file_each(record.output_files, part, place / "output_files")
        }
        options = commands if isinstance(commands, dict) else {}
        return SpecTest(
            identifier=identifier_of(record, values, place / "identifier"),
            index=index,
            metric=record.metric,
            inputs=inputs,
            golden=golden,
            rtol=settings.get("rtol"),
            atol=settings.get("atol"),
            iterations=count_or_none(settings.get("iter"), place / "iter", least=1),
            warmup=count_or_none(settings.get("warmup"), place / "warmup", least=0),
            timeout=settings.get("timeout"),
            operators=bool(settings.get("operators")) or runs_operators(options),
            commands=options,
            command_lines=lines,
            platform_args=settings.get("platform_args") or {},
            meta=self.meta,
            place=str(place),
        )


def refuse_many(tests: int, inputs: int, place: Place) -> None:
    """Refuse more tests of a model, or inputs of a test's shapes, than anybody means."""
    if tests > MOST_SHAPES:
        raise place.fault(f"more than {MOST_SHAPES} tests of one model")
    if inputs > MOST_TENSORS:
        raise place.fault(f"more than {MOST_TENSORS} inputs of all its shapes")


def refuse_long(meta: Mapping[str, Any], place: Place) -> None:
    """Refuse a meta that would be too much in every record."""
    if count_values(meta) > MOST_ENTRIES:
        raise place.fault(f"more than {MOST_ENTRIES} values for every record")


def count_values(value: Any) -> int:
    """Return how many values JSON holds."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(count_values, inner))


def identifier_of(record: SpecTestRecord, values: Mapping[str, Any], place: Place) -> str:
    """Return a test's name, placeholders filled."""
    text = fill_wholly(record.identifier, values, place)
    if not text.isprintable() or len(text) > LONGEST_NAME:
        raise place.fault(f"{quote(text)}: must be at most {LONGEST_NAME} printable characters")
    return text


def shared_of(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that a test, a model and a list may have; null says nothing."""
    return {name: raw[name] for name in SHARED if raw.get(name) is not None}


def command_lines(record: SpecTestRecord, commands: Any) -> Iterator[str]:
    """Yield what a program would be called with."""
    if record.arguments is not None:
        yield "{program} " + record.arguments
    if record.command is not None:
        yield record.command
    if isinstance(commands, list):
        yield from commands


def runs_operators(commands: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether a framework's options ask for each operator, as FAI-PEP spells that."""
    asked = (str(each.get("run_individual", "")).lower() for each in commands.values())
    return "true" in asked


def count_or_none(value: int | None, place: Place, *, least: int) -> int | None:
    """Return a count, None where it is left to the default, which -1 does."""
    if value in (None, -1):
        return None
    if value < least:
        raise place.fault(f"must be at least {least}, or -1 for the default, not {value}")
    return value

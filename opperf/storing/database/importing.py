"""Putting lines into a store: each result once, however often it comes."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from sqlalchemy import Row, select

from opperf.core.errors import UsageError
from opperf.storing.database import schema
from opperf.storing.database.bulk import insert_rows
from opperf.storing.database.cells import rows
from opperf.storing.database.helper import pack_all, read_ahead
from opperf.storing.database.line import (
    Line,
    put_together,
    take_apart,
    unpack,
    unpack_environment,
)
from opperf.storing.database.numbering import Numbers
from opperf.storing.database.sealing import update_sealed
from opperf.storing.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from opperf.storing.database.helper import Helpers

BATCH = 500
"""Lines that are looked up and inserted together."""
SUPERSEDED = "superseded"
"""The status, in its column alone, of a result in whose place another one of its row stands."""
MOST_KEYS = 200_000
"""How many are remembered; the store is asked about all after that."""

Key = tuple[int, bytes]


@dataclass
class Importer:
    """Stores lines through a connection that writes, and counts them."""

    connection: Connection
    helpers: Helpers | None = None
    stored: int = 0
    present: int = 0
    numbers: Numbers = field(init=False)
    keys: set[Key] = field(default_factory=set)
    """Of the results that came for new runs, so that only what comes again is looked up."""
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    """What is to be inserted next, but for the lines, which wait with their templates."""
    lines: list[tuple[bytes, bytes]] = field(default_factory=list)
    repeated: dict[Key, bytes] = field(default_factory=dict)
    """The results of rows measured once more, and the keys of the earlier ones."""

    def __post_init__(self) -> None:
        self.numbers = Numbers(self.connection)

    def add_file(self, path: Path) -> str | None:
        """Store a journal, and return a warning where its last line is torn.

        Raises:
            UsageError: It is damaged elsewhere, or one of its results is another one in the store.
        """
        lines = Lines(path, take_apart)
        if self.helpers:
            self.helpers.start(path)
        reader = self.helpers and self.helpers.reader
        with lines.naming_the_line():
            self.add(chain(read_ahead(lines, reader), lines) if reader else lines)
        return lines.torn

    def add(self, lines: Iterable[Line]) -> None:
        """Store the lines that the store does not hold yet.

        Raises:
            UsageError: One has the id of another result in the store.
        """
        remaining = iter(lines)
        while batch := list(islice(remaining, BATCH)):
            self.add_batch(batch)
        self.insert({})
        self.set_aside()

    def add_batch(self, lines: Sequence[Line]) -> None:
        """Store some lines."""
        self.numbers.learn(lines)
        new: dict[Key, Line] = {}
        for line in lines:
            key = (self.numbers.runs[line.run], line.key)
            refuse_other(new.setdefault(key, line), line)
            if line.supersedes is not None:
                self.repeated[key] = line.supersedes
        doubtful = self.doubtful(new)
        if doubtful:
            self.insert({})
            for key, earlier, _ in self.find(doubtful):
                refuse_other(earlier, new.pop(key))
        self.insert(new)
        self.stored += len(new)
        self.present += len(lines) - len(new)

    def doubtful(self, keys: Iterable[Key]) -> list[Key]:
        """Return those of the keys that the store may have."""
        if len(self.keys) > MOST_KEYS:
            self.keys.clear()
            self.numbers.new_runs.clear()
        made = {key for key in keys if key[0] in self.numbers.new_runs}
        doubtful = [key for key in keys if key not in made or key in self.keys]
        self.keys |= made
        return doubtful

    def find(self, keys: Iterable[Key]) -> Iterator[tuple[Key, Line, str]]:
        """Yield those of the keys that the store has, with their lines and their status there."""
        table = schema.result.c
        by_run: dict[int, list[bytes]] = {}
        for run, key in keys:
            by_run.setdefault(run, []).append(key)
        for run, wanted in by_run.items():
            query = stored_lines().add_columns(table.status)
            query = query.where(table.run_id == run, table.key.in_(wanted))
            for row in rows(self.connection, query):
                yield (run, bytes(row.key)), take_apart(whole_line(row)), row.status

    def insert(self, new: Mapping[Key, Line]) -> None:
        """Insert what came before, and keep these for the next time: they are packed meanwhile."""
        waiting, lines = self.rows, self.lines
        packer = self.helpers and self.helpers.packer
        packed = packer.answer() if packer and lines else None
        self.rows = [self.row(key, line) for key, line in new.items()]
        self.lines = [
            (line.body, self.numbers.series[line.series].template) for line in new.values()
        ]
        if packer and self.lines:
            packer.ask(self.lines)
        if waiting:
            pairs = zip(waiting, packed or pack_all(lines), strict=True)
            insert_rows(self.connection, schema.result, [(*row, line) for row, line in pairs])

    def set_aside(self) -> None:
        """Mark all but one result of each row as superseded; their lines remain."""
        remaining = iter(rows_of(self.repeated))
        while some := [*islice(remaining, BATCH)]:
            found = {key: (line, status) for key, line, status in self.find(chain(*some))}
            for row in some:
                there = [key for key in row if key in found]
                chosen = max(reversed(there), key=lambda key: found[key][0].certainty)
                for key in there:
                    line, status = found[key]
                    told = line.columns[2:] if key == chosen else (SUPERSEDED, *[None] * 4)
                    if status != told[0]:
                        self.tell(key, told)
        self.repeated.clear()

    def tell(self, key: Key, cells: Sequence[Any]) -> None:
        """Change what the columns say of a result."""
        table = schema.result
        here = (table.c.run_id == key[0]) & (table.c.key == key[1])
        names = ("status", "median", "low", "high", "n")
        update_sealed(self.connection, table, here, dict(zip(names, cells, strict=True)))

    def row(self, key: Key, line: Line) -> tuple[Any, ...]:
        """Return a row of the table of results, from the number's column to the line's."""
        series = self.numbers.series[line.series].number
        return (*key, series, self.numbers.environments[line.shared], *line.columns)


def rows_of(repeated: Mapping[Key, bytes]) -> list[list[Key]]:
    """Return the results of each row in their order, by which earlier one each was to replace."""
    found: dict[Key, list[Key]] = {}
    first: dict[Key, Key] = {}
    for key, supersedes in repeated.items():
        earlier = (key[0], supersedes)
        first[key] = first.get(earlier, earlier)
        found.setdefault(first[key], [first[key]]).append(key)
    return [*found.values()]


def stored_lines() -> Any:
    """Return a query for results with all that their lines are made of."""
    return (
        select(
            schema.result.c.key,
            schema.result.c.line,
            schema.series.c.template,
            schema.environment.c.content,
            schema.template.c.content.label("base"),
        )
        .join(schema.series, schema.series.c.id == schema.result.c.series_id)
        .join(schema.environment, schema.environment.c.id == schema.result.c.environment_id)
        .join(schema.template, schema.template.c.id == schema.environment.c.template_id)
    )


def whole_line(row: Row[Any]) -> bytes:
    """Return the whole line of a row of such a query."""
    body = unpack(row.line, row.template)
    return put_together(body, unpack_environment(row.content, row.base))


def refuse_other(earlier: Line, line: Line) -> None:
    """Refuse a line with the id of another result; one without samples may have lost them."""
    if earlier is line:
        return
    mine, other = earlier.record(), line.record()
    if mine.samples is None or other.samples is None:
        mine, other = replace(mine, samples=None), replace(other, samples=None)
    if mine != other:
        raise UsageError(f"result_id {other.result_id!r} stands for another result")

"""Rows as they are read: each cell is of its column's type, and within its bounds.

SQLite keeps what it is given, whatever the type of the column, and a bit that was flipped on the
disk may change a cell's type. PRAGMA integrity_check knows neither, and STRICT tables, which only
hold when a row is written, cannot be opened by the SQLite of systems that are still in use (3.34).
So rows are checked where they come in, here, and nowhere else.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import Boolean, Column, ColumnElement, Float, Integer, LargeBinary
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.compiler import compiles

from opperf.core.errors import UsageError
from opperf.core.statistics.plausible import LONGEST, is_time
from opperf.storing.database.line import MOST
from opperf.storing.database.schema import Seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sqlalchemy import Connection, Row

INFO = "opperf_damage"
"""Where a connection keeps what it has left out."""
REMEDY = "`opperf db verify` names all of them"
SHOWN = 40


@dataclass
class Damage:
    """What was left out of a store, because it is damaged."""

    store: str
    rows: dict[str, str] = field(default_factory=dict)
    """What is wrong with each, by its name: one may be read several times."""

    def add(self, name: str, what: str) -> None:
        """Remember a row."""
        self.rows.setdefault(name, what)

    def __str__(self) -> str:
        first = next(iter(self.rows.values()), "")
        return f"store {self.store}: {first}; damaged rows left out: {len(self.rows)}; {REMEDY}"


@dataclass(frozen=True)
class Cells:
    """What the cells of a query's rows may be, column by column."""

    names: tuple[str, ...]
    types: tuple[frozenset[type], ...]
    bounds: tuple[tuple[int, Callable[[Any], bool]], ...]
    sound_types: set[tuple[type, ...]] = field(default_factory=set)
    """The types of rows that were found sound."""

    @classmethod
    def of(cls, columns: Sequence[Any]) -> Cells:
        """Return what the rows of these columns may be."""
        bounds = [(place, bound_of(column)) for place, column in enumerate(columns)]
        return cls(
            names=tuple(map(name_of, columns)),
            types=tuple(map(types_of, columns)),
            bounds=tuple((place, bound) for place, bound in bounds if bound is not None),
        )

    def fault(self, row: Sequence[Any]) -> str | None:
        """Return what is wrong with a row, None where nothing is."""
        found = tuple(map(type, row))
        if found not in self.sound_types:
            for name, allowed, kind, value in zip(self.names, self.types, found, row, strict=True):
                if kind not in allowed:
                    return f"{name} is {describe_cell(value)}"
            self.sound_types.add(found)
        for place, is_within in self.bounds:
            value = row[place]
            if value is not None and not is_within(value):
                return f"{self.names[place]} is {describe_cell(value)}"
        return None

    def name(self, row: Sequence[Any]) -> str:
        """Return what stands for a row: its number where the query has it, else all it holds."""
        places = (place for place, name in enumerate(self.names) if name.endswith(".id"))
        place = next(places, None)
        return repr([*row]) if place is None else f"{self.names[place]} {row[place]!r}"

    def all_sound(self, columns: Sequence[Sequence[Any]]) -> bool:
        """Return whether nothing is wrong with any of many rows, given column by column."""
        if not columns:
            return True
        pairs = zip(self.types, columns, strict=True)
        if not all(types >= {*map(type, column)} for types, column in pairs):
            return False
        for place, is_within in self.bounds:
            values = [value for value in columns[place] if value is not None]
            if values and not (is_within(min(values)) and is_within(max(values))):
                return False
        return True


def describe_cell(value: object) -> str:
    """Return what an error shows of a cell that is not as it must be."""
    what = "null" if value is None else f"the {type(value).__name__} {value!r:.{SHOWN}}"
    return f"{what}, which it cannot be"


def name_of(column: Any) -> str:
    """Return what an error calls a query's column."""
    base = getattr(column, "element", column)
    return f"{base.table.name}.{base.name}" if isinstance(base, Column) else str(column.name)


def types_of(column: Any) -> frozenset[type]:
    """Return the types that a column's cells may have."""
    base = getattr(column, "element", column)
    nullable = base.nullable if isinstance(base, Column) else True
    kinds: tuple[type, ...] = (str,)
    if isinstance(column.type, LargeBinary):
        kinds = (bytes,)
    elif isinstance(column.type, Integer):
        kinds = (int,)
    elif isinstance(column.type, Float):
        kinds = (float, int)
    return frozenset((*kinds, type(None)) if nullable else kinds)


def bound_of(column: Any) -> Callable[[Any], bool] | None:
    """Return whether a number may stand in a column, None where any value may."""
    if isinstance(column.type, Seconds):
        return lambda value: is_time(value, 0.0)
    if isinstance(column.type, Float):
        return lambda value: -LONGEST <= value <= LONGEST
    return is_whole if isinstance(column.type, Integer) else None


def is_whole(value: int) -> bool:
    """Return whether a number is so small that a week more or less still fits into a column."""
    return -MOST <= value <= MOST


class is_whole_number(ColumnElement[bool]):  # noqa: N801 - reads as the function that it is
    """Whether a cell is a whole number, for queries that order or compare before rows come in."""

    inherit_cache = True
    type = Boolean()

    def __init__(self, column: Column[int]) -> None:
        self.column = column


@compiles(is_whole_number)
def of_typed_columns(_element: is_whole_number, _compiler: Any, **_options: Any) -> str:
    """Return SQL for a database that keeps nothing else in such a column."""
    return "true"


@compiles(is_whole_number, "sqlite")
def of_any_cells(element: is_whole_number, compiler: Any, **options: Any) -> str:
    """Return SQL for SQLite."""
    return f"typeof({compiler.process(element.column, **options)}) = 'integer'"


def rows(connection: Connection, query: Any) -> Iterator[Row[Any]]:
    """Yield the sound rows of a query; the others are left out, or refused while one writes."""
    cells = Cells.of(query.selected_columns)
    for row in connection.execute(query):
        fault = cells.fault(row)
        if fault is None:
            yield row
        else:
            leave_out(connection, cells.name(row), fault)


def tuples(connection: Connection, query: Any) -> list[tuple[Any, ...]]:
    """Return the sound rows of a query as the driver has them, a million of them in no time."""
    cursor: Any = connection.execute(query).cursor
    try:
        found = cursor.fetchall()
    except connection.dialect.loaded_dbapi.Error as error:
        raise DBAPIError(str(query), None, error) from error
    cells = Cells.of(query.selected_columns)
    if cells.all_sound([*zip(*found, strict=True)]):
        return list(found)
    sound = []
    for row in found:
        if fault := cells.fault(row):
            leave_out(connection, cells.name(row), fault)
        else:
            sound.append(row)
    return sound


def leave_out(connection: Connection, name: str, what: str) -> None:
    """Count a damaged row where one only reads; refuse to write beside it."""
    damage = connection.info.get(INFO)
    if damage is None:
        raise UsageError(f"the store is damaged: {what}; {REMEDY}")
    damage.add(name, what)


@contextmanager
def leaving_out(connection: Connection, name: str) -> Iterator[None]:
    """Leave out what turns out to be damaged when it is looked into."""
    try:
        yield
    except UsageError as error:
        leave_out(connection, name, f"{name}: {error}")

"""The tables of a store, the same in SQLite and PostgreSQL; docs/store.md shows them.

A result's line is kept as the journal has it, compressed, without its environment, which many
results share. What queries ask for stands in columns beside it.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()
NUMBER = BigInteger().with_variant(Integer, "sqlite")
"""SQLite's row numbers are of type INTEGER, and no other name of it."""


class Bytes(LargeBinary):
    """Bytes as SQLite has them, where SQLAlchemy's own type makes bytes of whatever there is."""

    def result_processor(self, dialect: Any, coltype: object) -> Any:
        """Leave a cell as it is, to be checked by `opperf.storing.database.cells`."""
        processor: Any = super().result_processor
        return None if dialect.name == "sqlite" else processor(dialect, coltype)


class Seconds(Double[float]):
    """A column of times."""


def seal() -> Column[bytes]:
    """Return the column of the checksum of a row's other cells."""
    return Column("checksum", Bytes)


def number() -> Column[int]:
    """Return the column of a row's own number."""
    return Column("id", NUMBER, primary_key=True)


def reference(table: str) -> Column[int]:
    """Return a column that holds the number of a row of another table."""
    return Column(f"{table}_id", NUMBER, ForeignKey(f"opperf_{table}.id"), nullable=False)


migration = Table(
    "opperf_migration",
    METADATA,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("applied_at", Text, nullable=False),
    Column("opperf_version", Text, nullable=False),
)

template = Table(
    "opperf_template",
    METADATA,
    number(),
    Column("digest", Bytes, nullable=False, unique=True),
    Column("content", Bytes, nullable=False),
    seal(),
)
"""What many environments have in common: the first one of a machine and framework."""

environment = Table(
    "opperf_environment",
    METADATA,
    number(),
    Column("digest", Bytes, nullable=False, unique=True),
    reference("template"),
    Column("content", Bytes, nullable=False),
    seal(),
)
"""Each process of a run has its own, because load and clock differ."""

run = Table(
    "opperf_run",
    METADATA,
    number(),
    Column("digest", Bytes, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("command", Text),
    Column("tags", Text, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    seal(),
)
"""`tags` is a JSON list; a result without a run has the run of the empty name."""

series = Table(
    "opperf_series",
    METADATA,
    number(),
    Column("digest", Bytes, nullable=False, unique=True),
    Column("subject", Bytes, nullable=False, index=True),
    Column("series_key", Text, nullable=False),
    Column("definition_key", Text, nullable=False),
    Column("machine_key", Text, nullable=False),
    Column("cpu", Text, nullable=False),
    Column("operator", Text, nullable=False),
    Column("category", Text, nullable=False),
    Column("framework", Text, nullable=False),
    Column("direction", Text, nullable=False),
    Column("device", Text, nullable=False),
    Column("size", Text),
    Column("dtype", Text),
    Column("template", Bytes, nullable=False),
    seal(),
)
"""All results of one subject by one definition on one machine.

`digest` stands for the three keys, `subject` for what is measured, whatever the machine. `template`
is the series' first line, with which all others are compressed.
"""

result = Table(
    "opperf_result",
    METADATA,
    number(),
    reference("run"),
    Column("key", Bytes, nullable=False),
    reference("series"),
    reference("environment"),
    Column("started_at", BigInteger, nullable=False),
    Column("session", BigInteger, nullable=False),
    Column("status", Text, nullable=False),
    Column("median", Seconds),
    Column("low", Double),
    Column("high", Double),
    Column("n", BigInteger),
    Column("line", Bytes, nullable=False),
    seal(),
    UniqueConstraint("run_id", "key"),
    Index("opperf_result_by_series", "series_id", "started_at", "median"),
)
"""`key` stands for the result's id, `started_at` is in milliseconds since 1970, times in seconds;
`median` is null where there is no sound time. The index alone answers what a history asks."""

baseline = Table(
    "opperf_baseline",
    METADATA,
    Column("name", Text, primary_key=True),
    reference("run"),
    Column("set_at", Text, nullable=False),
    Column("note", Text),
    seal(),
)

acknowledgment = Table(
    "opperf_acknowledgment",
    METADATA,
    number(),
    reference("series"),
    Column("changed_at", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("note", Text),
    seal(),
    UniqueConstraint("series_id", "changed_at"),
)
"""A change that somebody knows of; `changed_at` is the time of the first result after it."""

annotation = Table(
    "opperf_annotation",
    METADATA,
    number(),
    Column("at", BigInteger, nullable=False),
    Column("operator", Text, nullable=False),
    Column("note", Text, nullable=False),
    seal(),
)
"""What happened at a time, to one operator or (of the empty name) to all."""

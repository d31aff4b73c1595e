"""The rows that many results share: runs, series, environments, each made when it first comes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select

from opperf.storing.database import schema
from opperf.storing.database.line import (
    Line,
    digest,
    encode,
    milliseconds,
    pack,
    unpack,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy import Column, Connection, Row, Table

    Values = Callable[[], dict[str, Any]]

shared_digest = lru_cache(50_000)(digest)
"""The digest of keys that many lines share."""
IDENTITY = ("name", "framework", "fused", "device", "cache", "direction", "threads")
"""What of an operator makes its results one subject, beside inputs and definition."""
MOST_ENVIRONMENTS = 10_000
"""How many are remembered; they are looked up again after that."""


@dataclass(frozen=True)
class Packing:
    """The number of a row, and the template that its lines are compressed with."""

    number: int
    template: bytes


@dataclass
class Numbers:
    """The numbers of shared rows; what is known is remembered for as long as the connection."""

    connection: Connection
    runs: dict[str, int] = field(default_factory=dict)
    series: dict[bytes, Packing] = field(default_factory=dict)
    templates: dict[bytes, Packing] = field(default_factory=dict)
    environments: dict[bytes, int] = field(default_factory=dict)

    def learn(self, lines: Sequence[Line]) -> None:
        """Look up, or make, all that some lines refer to."""
        self.learn_runs(lines)
        self.learn_packings(schema.template.c.content, self.templates, lines)
        self.learn_packings(schema.series.c.template, self.series, lines)
        self.learn_environments(lines)

    def learn_runs(self, lines: Sequence[Line]) -> None:
        """Look up the runs."""
        new = {run_name(line): line for line in lines if run_name(line) not in self.runs}
        wanted = {digest(name): values_of_run(line) for name, line in new.items()}
        found = self.look_up(schema.run, wanted)
        self.runs |= {name: found[digest(name)].id for name in new}

    def learn_packings(
        self, column: Column[bytes], known: dict[bytes, Packing], lines: Sequence[Line]
    ) -> None:
        """Look up the rows that hold templates."""
        key_of, values_of = PACKED[column.table.name]
        new = {key: line for line in lines if (key := key_of(line)) not in known}
        wanted = {key: values_of(line) for key, line in new.items()}
        for key, row in self.look_up(column.table, wanted, column).items():
            known[key] = Packing(row.id, unpack(getattr(row, column.name)))

    def learn_environments(self, lines: Sequence[Line]) -> None:
        """Look up the environments."""
        if len(self.environments) > MOST_ENVIRONMENTS:
            self.environments.clear()
        new = {
            line.environment: line for line in lines if line.environment not in self.environments
        }
        keys = {text: digest(text.decode()) for text in new}
        wanted = {keys[text]: self.values_of_environment(line) for text, line in new.items()}
        found = self.look_up(schema.environment, wanted)
        self.environments |= {text: found[keys[text]].id for text in new}

    def values_of_environment(self, line: Line) -> Values:
        """Return what makes the columns of an environment."""
        packing = self.templates[template_key(line)]
        return lambda: {
            "template_id": packing.number,
            "content": pack(line.environment, packing.template),
        }

    def look_up(
        self, table: Table, wanted: Mapping[bytes, Values], *columns: Column[Any]
    ) -> dict[bytes, Row[Any]]:
        """Return the rows with these digests, those made first that are not there yet."""
        if not wanted:
            return {}
        query = select(table.c.id, table.c.digest, *columns).where(table.c.digest.in_(wanted))
        found = self.by_digest(query)
        missing = [{"digest": key, **wanted[key]()} for key in wanted if key not in found]
        if missing:
            self.connection.execute(insert(table), missing)
            found = self.by_digest(query)
        return found

    def by_digest(self, query: Any) -> dict[bytes, Row[Any]]:
        """Return the rows of a query by their digest."""
        return {bytes(row.digest): row for row in self.connection.execute(query)}


def run_name(line: Line) -> str:
    """Return the run of a line, empty for none."""
    return line.record["run_id"] or ""


def series_key(line: Line) -> bytes:
    """Return what stands for a line's series."""
    record = line.record
    return shared_digest(record["series_key"], record["definition_key"], machine_of(line))


def template_key(line: Line) -> bytes:
    """Return what stands for a line's machine and framework."""
    return shared_digest(machine_of(line), line.record["operator"]["framework"])


def machine_of(line: Line) -> str:
    """Return the machine's key, also where nobody found one."""
    return str(line.record["environment"].get("machine_key"))


def values_of_run(line: Line) -> Values:
    """Return what makes the columns of a run."""
    record = line.record
    return lambda: {
        "name": storable(run_name(line)),
        "command": storable(record["command"]),
        "tags": json.dumps(record["tags"]),
        "started_at": milliseconds(record["started_at"]),
    }


def values_of_template(line: Line) -> Values:
    """Return what makes the columns of a template."""
    return lambda: {"content": pack(line.environment)}


def values_of_series(line: Line) -> Values:
    """Return what makes the columns of a series, as its first result has them."""
    record, facts = line.record, line.record["environment"]
    operator, inputs = record["operator"], record["inputs"]
    names = ("category", "framework", "direction", "device", "size")
    return lambda: {
        "subject": subject_of(record),
        "series_key": storable(record["series_key"]),
        "definition_key": storable(record["definition_key"]),
        "machine_key": storable(machine_of(line)),
        "cpu": storable(str(facts.get("cpu"))),
        "operator": storable(operator["name"]),
        **{name: storable(operator[name]) for name in names},
        "dtype": storable(inputs[0]["dtype"]) if inputs else None,
        "template": pack(line.body),
    }


def subject_of(record: Mapping[str, Any]) -> bytes:
    """Return what stands for the thing that is measured, on whichever machine."""
    identity = [record["operator"].get(name) for name in IDENTITY]
    given = [record[name] for name in ("inputs", "attributes", "initializer", "definition_key")]
    return digest(encode([identity, given]).decode())


def storable(text: str | None) -> str | None:
    """Return a text without what databases store in no text: NUL, and halves of characters."""
    return text.replace("\0", "\ufffd").encode(errors="replace").decode() if text else text


PACKED: Mapping[str, tuple[Callable[[Line], bytes], Callable[[Line], Values]]] = {
    schema.template.name: (template_key, values_of_template),
    schema.series.name: (series_key, values_of_series),
}
"""For the tables that hold templates: what stands for a line's row, and what makes it."""

"""The rows that many results share: runs, series, environments, each made when it first comes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from opperf.core.results.circumstances import unusual
from opperf.core.results.older_names import IMPORTED, name_in_keys
from opperf.storing.database import schema
from opperf.storing.database.bulk import insert_absent, insert_rows
from opperf.storing.database.cells import tuples
from opperf.storing.database.line import Line, digest, encode, pack
from opperf.storing.database.sealing import cells_of, update_sealed
from opperf.storing.document import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sqlalchemy import Column, Connection

    ValuesOf = Callable[[Line], dict[str, Any]]
IDENTITY = ("framework", "fused", "device", "cache", "direction", "threads")
"""What of an operator makes its results one subject, beside its name, inputs and definition."""
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
    starts: dict[str, int] = field(default_factory=dict)
    """When each of these runs began, as the store has it: its earliest result."""
    series: dict[bytes, Packing] = field(default_factory=dict)
    templates: dict[bytes, Packing] = field(default_factory=dict)
    environments: dict[bytes, int] = field(default_factory=dict)
    new_runs: set[int] = field(default_factory=set)
    """The runs that were not there before, so that the store has nothing of them but what came."""

    def learn(self, lines: Sequence[Line]) -> None:
        """Look up, or make, all that some lines refer to."""
        self.learn_runs(lines)
        self.learn_packings(
            schema.template.c.content,
            self.templates,
            {line.origin: line for line in reversed(lines)},
            values_of_template,
        )
        self.learn_packings(
            schema.series.c.template,
            self.series,
            {line.series: line for line in reversed(lines)},
            values_of_series,
        )
        self.learn_environments(lines)

    def learn_runs(self, lines: Sequence[Line]) -> None:
        """Look up the runs; each began with its earliest line, in whichever batch that comes."""
        first: dict[str, Line] = {}
        for line in lines:
            if line.run not in first or began_at(line) < began_at(first[line.run]):
                first[line.run] = line
        new = {digest(name): line for name, line in first.items() if name not in self.runs}
        found, made = self.look_up(schema.run.c.started_at, new, values_of_run)
        for key, (number, began) in found.items():
            self.runs[new[key].run], self.starts[new[key].run] = number, began
        self.new_runs |= {found[key][0] for key in made}
        for name, line in first.items():
            if began_at(line) < self.starts[name]:
                self.starts[name] = began_at(line)
                row = schema.run.c.id == self.runs[name]
                update_sealed(self.connection, schema.run, row, {"started_at": began_at(line)})

    def learn_packings(
        self,
        column: Column[bytes],
        packings: dict[bytes, Packing],
        lines: Mapping[bytes, Line],
        values_of: ValuesOf,
    ) -> None:
        """Look up the rows that hold templates, a line for each."""
        new = {key: line for key, line in lines.items() if key not in packings}
        for key, found in self.look_up(column, new, values_of)[0].items():
            packings[key] = Packing(*found)

    def learn_environments(self, lines: Sequence[Line]) -> None:
        """Look up the environments."""
        if len(self.environments) > MOST_ENVIRONMENTS:
            self.environments.clear()
        new = {line.shared: line for line in lines if line.shared not in self.environments}
        column = schema.environment.c.id
        found, _ = self.look_up(column, new, self.values_of_environment)
        self.environments.update((key, number) for key, (number, _) in found.items())

    def values_of_environment(self, line: Line) -> dict[str, Any]:
        """Return the columns of an environment."""
        packing = self.templates[line.origin]
        content = pack(line.environment, packing.template)
        return {"template_id": packing.number, "content": content}

    def look_up(
        self, column: Column[Any], lines: Mapping[bytes, Line], values_of: ValuesOf
    ) -> tuple[dict[bytes, tuple[int, Any]], set[bytes]]:
        """Return number and column of these digests' rows, and which of them were made here.

        Those that are missing are made, unless another writer makes them first.
        """
        if not lines:
            return {}, set()
        found = self.by_digest(column, lines)
        missing = [{"digest": key, **values_of(lines[key])} for key in lines if key not in found]
        made = self.make(column, missing) if missing else {}
        found |= made
        if others := [row["digest"] for row in missing if row["digest"] not in made]:
            found |= self.by_digest(column, others)
        return found, {*made}

    def make(
        self, column: Column[Any], missing: Sequence[dict[str, Any]]
    ) -> dict[bytes, tuple[int, Any]]:
        """Insert rows; return number and column of those that nobody else inserted meanwhile."""
        table = column.table
        if self.connection.dialect.name == "postgresql":
            made = insert_absent(self.connection, table, missing, column)
            return {bytes(key): (number, value) for number, key, value in made}
        names = [item.name for item in cells_of(table)]
        insert_rows(self.connection, table, [tuple(row[name] for name in names) for row in missing])
        return self.by_digest(column, [row["digest"] for row in missing])

    def by_digest(
        self, column: Column[Any], digests: Iterable[bytes]
    ) -> dict[bytes, tuple[int, Any]]:
        """Return number and column of these digests' rows, as the driver has them."""
        table = column.table
        query = select(table.c.id, table.c.digest, column).where(table.c.digest.in_(digests))
        found = tuples(self.connection, query)
        return {bytes(key): (number, value) for number, key, value in found}


def values_of_run(line: Line) -> dict[str, Any]:
    """Return the columns of a run."""
    record = line.record()
    return {
        "name": storable(line.run),
        "command": storable(record.command),
        "tags": json.dumps(record.tags),
        "started_at": began_at(line),
    }


def began_at(line: Line) -> int:
    """Return when a line's result was begun, in milliseconds since 1970."""
    return int(line.columns[0])


def values_of_template(line: Line) -> dict[str, Any]:
    """Return the columns of a template."""
    return {"content": line.environment}


def values_of_series(line: Line) -> dict[str, Any]:
    """Return the columns of a series, as its first result has them."""
    record = line.record()
    operator, inputs, body = record.operator, record.inputs, parse(line.body)
    names = ("category", "framework", "direction", "device", "size")
    return {
        "subject": subject_of(body),  # type: ignore[arg-type]
        "series_key": storable(record.series_key),
        "definition_key": storable(record.definition_key),
        "machine_key": storable(line.machine),
        "cpu": storable(str(record.environment.get("cpu"))),
        "operator": storable(operator.name),
        **{name: storable(getattr(operator, name)) for name in names},
        "dtype": storable(inputs[0].dtype) if inputs else None,
        "template": line.body,
    }


def subject_of(record: Mapping[str, Any]) -> bytes:
    """Return the key of what is measured, the same on every machine.

    It is made of the JSON as it was written, so that it stays the same whatever fields come.
    """
    operator = record["operator"]
    name = operator["name"]
    own = name if operator["category"] == IMPORTED else name_in_keys(name)
    identity: list[Any] = [own, *(operator.get(each) for each in IDENTITY)]
    identity += [[each, value] for each, value in unusual(operator).items()]
    given = [record[each] for each in ("inputs", "attributes", "initializer", "definition_key")]
    return digest(encode([identity, given]).decode())


def storable(text: str | None) -> str | None:
    """Return a text without what databases store in no text: NUL, and halves of characters."""
    return text.replace("\0", "\ufffd").encode(errors="replace").decode() if text else text

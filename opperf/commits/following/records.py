"""What is reported of an outcome: the outcome itself, and the records of each operator."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.commits.following.event import SCHEMA
from opperf.commits.following.outcome import is_worse
from opperf.core.results.identity import digest
from opperf.storing.lines import Lines, parse_json
from opperf.storing.run_directory import RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opperf.commits.following.outcome import CommitOutcome

BENCHMARK, VERIFY, REGRESS = "benchmark", "verify", "regress"
"""A usual run; the same in fresh sessions, to confirm a suspicion; a confirmed regression."""
COMMIT, STATE, DELAY = "commit", "state", "delay"
NAMED = ("framework", "direction", "size", "fused")


@dataclass(frozen=True, kw_only=True)
class ReportPart:
    """The records of one report, and what they are of.

    Args:
        key: what no other report of any commit has.
        net: the operator's name.
        framework: the framework's.
        metric: what was measured.
        identifier: which case of the operator.
        run_type: benchmark, verify or regress.
        records: as the journal of the comparison has them.
    """

    key: str
    net: str
    framework: str
    metric: str
    identifier: str
    run_type: str
    records: Sequence[Mapping[str, Any]]


def parts_of(outcome: CommitOutcome, framework: str) -> Iterator[ReportPart]:
    """Yield what is reported of an outcome, always in the same order and with the same keys.

    Args:
        outcome: of which commit.
        framework: the name under which commits are reported that were not measured.
    """
    about = outcome.to_mapping()
    del about["rows"]
    named = f"{outcome.commit} {outcome.platform} {outcome.control}"
    worst = REGRESS if outcome.worse else BENCHMARK
    yield ReportPart(
        key=digest([named, COMMIT]), net=COMMIT, framework=framework, metric=STATE,
        identifier=STATE, run_type=worst,
        records=[{"schema": SCHEMA, "kind": "outcome", "outcome": about}],
    )  # fmt: skip
    records = [] if outcome.run is None else records_in(Path(outcome.run))
    for row in (row for row in outcome.rows if not row.get("control")):
        own = [record for record in records if subject_of(record) == subject_of_row(row)]
        for run_type, found in by_run_type(row, own):
            yield ReportPart(
                key=digest([named, subject_of_row(row), run_type]),
                net=row["operator"],
                framework=row["framework"],
                metric=row.get("metric") or DELAY,
                identifier=identifier_of(row),
                run_type=run_type,
                records=found,
            )


def by_run_type(
    row: Mapping[str, Any], records: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, Sequence[Mapping[str, Any]]]]:
    """Yield the records of one operator by the type of their run."""
    compared = [record for record in records if record["purpose"] == "comparison"]
    verified = [record for record in records if record["purpose"] == "confirmation"]
    if compared:
        yield BENCHMARK, compared
    if verified:
        yield VERIFY, verified
    if is_worse(row) and records:
        yield REGRESS, verified or compared


def records_in(run: Path) -> list[Mapping[str, Any]]:
    """Return the records of a comparison as JSON objects."""
    found = Lines(run / RESULTS, parse_json)
    return [record for record in found if isinstance(record, dict)]


def subject_of(record: Mapping[str, Any]) -> str:
    """Return what a record is of, as text that is the same for its row."""
    shapes = {item["name"]: item["shape"] for item in record["inputs"]}
    operator = record["operator"]
    named = [operator["name"], *(operator[name] for name in NAMED)]
    return json.dumps([named, {**shapes, **record["attributes"]}], sort_keys=True)


def subject_of_row(row: Mapping[str, Any]) -> str:
    """Return the same of a row of the comparison."""
    named = [row["operator"], *(row[name] for name in NAMED)]
    return json.dumps([named, row["inputs"]], sort_keys=True)


def identifier_of(row: Mapping[str, Any]) -> str:
    """Return which case of an operator a row is of: its direction, its size, and its inputs."""
    variant = row["fused"]
    parts = [row["direction"], row["size"] or "own", "" if variant is None else str(variant)]
    return "-".join(filter(None, [*parts, digest(row["inputs"])[:8]]))

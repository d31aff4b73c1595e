"""What is said of all records of one report: what ran where, at which commit."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Protocol

from opperf.core.errors import UsageError, quote, unknown
from opperf.core.moments import milliseconds_of
from opperf.core.results.identity import SPEC

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RUN_TYPES = ("benchmark", "verify", "regress")
"""A usual run; one more to confirm a suspicion; a confirmed regression."""
DOCUMENTED = {"net": "net_name"}
"""The fields that the platform's documents spell otherwise."""
KEPT = (
    "platform", "backend", "commit", "commit_time", "control_commit", "control_commit_time",
    "run_type", "info", "regressed_types",
)  # fmt: skip
"""What a specification's record keeps of the report that was made when it was measured."""


@dataclass(frozen=True, kw_only=True)
class Meta:
    """What all records of a report have in common.

    Reporting the same records with an equal Meta once more sends nothing twice.

    Args:
        platform: where it ran, such as "linux-x86_64".
        framework: with what.
        net: the model's name.
        metric: what was measured, such as "delay" or "error".
        identifier: which of the model's tests.
        time: when it ran, in seconds since 1970.
        commit: the one that was measured; "" where there is none.
        commit_time: when it was made, in seconds since 1970; None where that is not known.
        control_commit: the one that it is compared with.
        control_commit_time: when that was made.
        run_type: one of RUN_TYPES.
        device: the device's name.
        device_hash: what tells it from others of this name.
        backend: what the framework runs on.
        command: how it was called.
        info: what the caller wants to be written down, as JSON has it.
        regressed_types: which tests have regressed.
        key: what tells this report from others; the local reporter writes none twice in a row.

    Raises:
        UsageError: a field is none of what is allowed.

    """

    platform: str
    framework: str
    net: str
    metric: str
    identifier: str
    time: float
    commit: str = ""
    commit_time: float | None = None
    control_commit: str = ""
    control_commit_time: float | None = None
    run_type: str = "benchmark"
    device: str = ""
    device_hash: str = ""
    backend: str = ""
    command: str = ""
    info: Mapping[str, Any] = field(default_factory=dict)
    regressed_types: Sequence[str] = ()
    key: str = ""

    def __post_init__(self) -> None:
        if self.run_type not in RUN_TYPES:
            raise UsageError(unknown("run type", self.run_type, RUN_TYPES))
        _ = self.day

    @property
    def day(self) -> datetime:
        """The day of the commit, of the run where none is known, in UTC."""
        seconds = self.time if self.commit_time is None else self.commit_time
        try:
            return datetime.fromtimestamp(seconds, timezone.utc)
        except (OverflowError, TypeError, ValueError, OSError):
            raise UsageError(
                f"time {quote(seconds)}: must be in seconds since 1970, such as 1700000000"
            ) from None

    def to_dict(self) -> dict[str, Any]:
        """Return what is known, under the names of the platform's documents."""
        fields = {DOCUMENTED.get(name, name): value for name, value in asdict(self).items()}
        return {name: value for name, value in fields.items() if value not in (None, "", {}, ())}


def meta_of(record: Mapping[str, Any]) -> Meta:
    """Return what a record of a run says of itself; a specification's test keeps its names."""
    operator, facts = record["operator"], record["environment"]
    subject = record.get("subject") or {}
    test = record["attributes"] if subject.get("kind") == SPEC else {}
    machine = facts.get("machine_key") or ""
    known = (record.get("meta") or {}) if test else {}
    meta = Meta(
        platform=f"{sys.platform}-{facts.get('architecture') or 'unknown'}",
        framework=operator["framework"],
        net=operator["name"],
        metric=str(test.get("metric", "delay")),
        identifier=str(test.get("identifier", f"{operator['direction']}-{record['series_key']}")),
        time=milliseconds_of(record["started_at"]) / 1000,
        device=operator["device"],
        device_hash=machine,
        key=record["result_id"],
    )
    return replace(meta, **{name: known[name] for name in KEPT if name in known})


class Reporter(Protocol):
    """What is told of results; a plug-in is a function from its target to one of these."""

    def report(self, records: Sequence[Mapping[str, Any]], meta: Meta) -> str:
        """Report the records of one test and metric, and say in a line what was done.

        Raises:
            UsageError: it cannot be done.
        """
        ...

"""What a driver has done, event by event, as its journal keeps it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from opperf.commits.following.outcome import CommitOutcome, outcome_from
from opperf.core.errors import UsageError, quote, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SCHEMA = "opperf.follow/1"
START, TIP, REWRITTEN, GONE, OUTCOME, SENT, REPORTED = KINDS = (
    "start", "tip", "rewritten", "gone", "outcome", "sent", "reported",
)  # fmt: skip
FIELDS: Mapping[str, Mapping[str, tuple[type, ...]]] = {
    START: {"commit": (str,), "included": (bool,)},
    TIP: {"commit": (str,)},
    REWRITTEN: {"commit": (str,), "tip": (str,), "common": (str, type(None))},
    GONE: {"branch": (str,)},
    OUTCOME: {"outcome": (dict,)},
    SENT: {"commit": (str,), "platform": (str,), "key": (str,)},
    REPORTED: {"commit": (str,), "platform": (str,)},
}


@dataclass(frozen=True)
class FollowEvent:
    """One line of the journal."""

    kind: str
    fields: Mapping[str, Any]

    def to_json(self) -> str:
        """Return it as one line of JSON."""
        found = {"schema": SCHEMA, "kind": self.kind, **self.fields}
        return json.dumps(found, allow_nan=False, separators=(",", ":"))


def event_from(record: object) -> FollowEvent:
    """Return the event that a JSON object stands for.

    Raises:
        UsageError: it is none of this version.
    """
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        raise UsageError(f"no line of {SCHEMA}: {quote(record)}")
    kind = record.get("kind")
    if kind not in KINDS:
        raise UsageError(unknown("kind of line", kind, KINDS))
    fields = {name: value for name, value in record.items() if name not in {"schema", "kind"}}
    if sorted(fields) != sorted(FIELDS[kind]):
        raise UsageError(f"a line of kind {kind} has {', '.join(FIELDS[kind])}, no others")
    for name, types in FIELDS[kind].items():
        if not isinstance(fields[name], types):
            allowed = " or ".join(each.__name__ for each in types)
            raise UsageError(f"{name} must be {allowed}, not {quote(fields[name])}")
    if kind == OUTCOME:
        fields = {"outcome": outcome_from(record["outcome"]).to_mapping()}
    return FollowEvent(kind, fields)


@dataclass
class FollowProgress:
    """How far a driver has come, which follows from its events.

    Args:
        start: the commit that it began with, and whether that is one of the queue itself.
        tip: the newest commit that it has seen.
        gone: whether the branch was gone when it last looked.
        outcomes: what was found, by commit and platform.
        sent: the keys of reports that were made.
        reported: commits and platforms of which all reports were made, in order.
    """

    start: tuple[str, bool] | None = None
    tip: str | None = None
    gone: bool = False
    outcomes: dict[tuple[str, str], CommitOutcome] = field(default_factory=dict)
    sent: set[str] = field(default_factory=set)
    reported: dict[tuple[str, str], None] = field(default_factory=dict)

    def add(self, events: Iterable[FollowEvent]) -> None:
        """Add events in their order."""
        for event in events:
            fields = event.fields
            if event.kind == START:
                self.start = (fields["commit"], fields["included"])
            elif event.kind == TIP:
                self.tip, self.gone = fields["commit"], False
            elif event.kind == GONE:
                self.gone = True
            elif event.kind == OUTCOME:
                outcome = outcome_from(dict(fields["outcome"]))
                self.outcomes[outcome.key] = outcome
            elif event.kind == SENT:
                self.sent.add(fields["key"])
            elif event.kind == REPORTED:
                self.reported[fields["commit"], fields["platform"]] = None

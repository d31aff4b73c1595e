"""The histories of an operator, out of the points of many runs."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from opperf.history.analysis import analyze
from opperf.history.differences import differences
from opperf.history.model import History, Point, SeriesSubject
from opperf.reporting.site.points import SERIES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.history.model import Acknowledgment, Change
    from opperf.reporting.site.points import SeriesEntry

    Acknowledgments = Mapping[str, Sequence[tuple[int, Acknowledgment]]]

NEAR = 7 * 24 * 3600 * 1000
"""Milliseconds by which an acknowledged change may have moved, as in a store."""


class Fragment(NamedTuple):
    """The series of an operator in one run, as JSON."""

    run: str
    series: bytes


class OperatorPast(NamedTuple):
    """All that is known of an operator; of environments, those of its points."""

    operator: str
    fragments: Sequence[Fragment]
    environments: Mapping[str, bytes]
    acknowledgments: Acknowledgments


class SitePoint(NamedTuple):
    """A point, and the key of the environment that it was measured in."""

    point: Point
    environment: str


def histories_of(past: OperatorPast) -> list[History]:
    """Return the histories of an operator with their changes, by what is measured."""
    subjects: dict[str, SeriesEntry] = {}
    points: dict[str, list[SitePoint]] = {}
    for run, series in past.fragments:
        for entry in SERIES.decode(series):
            subjects.setdefault(entry.name, entry)
            points.setdefault(entry.name, []).extend(points_of(entry, run))
    found = [
        history_of(past, subjects[name], sorted(points[name], key=lambda one: one.point.at))
        for name in subjects
    ]
    return sorted(found, key=order)


def order(history: History) -> tuple[str, ...]:
    """Return by what histories are sorted: alike ones stand together."""
    subject = history.subject
    return (
        subject.framework, subject.direction, subject.device, subject.size or "", subject.name,
    )  # fmt: skip


def points_of(entry: SeriesEntry, run: str) -> list[SitePoint]:
    """Return the points of a series in a run."""
    return [
        SitePoint(
            Point(
                at=one.at, value=one.value, low=one.low, high=one.high, n=one.n,
                status=one.status, run=run, session=one.session,
            ),
            one.environment,
        )
        for one in entry.points
    ]  # fmt: skip


def history_of(past: OperatorPast, entry: SeriesEntry, found: Sequence[SitePoint]) -> History:
    """Return a history, its changes explained by the environments on their two sides."""
    history = analyze(subject_of(past.operator, entry), [one.point for one in found])
    places = {one.point.at: one.environment for one in found if one.point.value is not None}
    return replace(
        history, changes=tuple(explain(past, entry, change, places) for change in history.changes)
    )


def subject_of(operator: str, entry: SeriesEntry) -> SeriesSubject:
    """Return what a series measures."""
    return SeriesSubject(
        name=entry.name,
        operator=operator,
        category=entry.category,
        framework=entry.framework,
        direction=entry.direction,
        device=entry.device,
        size=entry.size,
        inputs=entry.inputs,
        attributes=entry.attributes,
        series_key=entry.series_key,
        definition_key=entry.definition_key,
        machine_key=entry.machine_key,
        cpu=entry.cpu,
        marks=entry.marks,
    )


def explain(
    past: OperatorPast, entry: SeriesEntry, change: Change, places: Mapping[int, str]
) -> Change:
    """Return a change with what differs between its sides, and who knows of it."""
    before, after = (facts_of(past, places.get(at)) for at in (change.last_before, change.at))
    near = [
        (abs(at - change.at), known)
        for at, known in past.acknowledgments.get(entry.name, ())
        if abs(at - change.at) <= NEAR
    ]
    known = min(near, key=lambda one: one[0])[1] if near else None
    return replace(change, differences=differences(before, after), acknowledgment=known)


def facts_of(past: OperatorPast, key: str | None) -> dict[str, Any]:
    """Return an environment by its key."""
    facts: dict[str, Any] = json.loads(past.environments[key]) if key else {}
    return facts

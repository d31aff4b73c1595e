"""Renamed operators: read by today's names, and identified as they always were."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.older_names import IMPORTED, OLDER_NAMES, spellings
from opperf.core.results.outcome import Outcome, definition_key, series_key
from opperf.core.results.pair import pair_from, pair_key
from opperf.core.results.parts import OperatorRecord
from opperf.core.results.reading import from_mapping
from opperf.declaring.description import describe
from opperf.declaring.registry import find_operator, operators
from opperf.storing.database.numbering import subject_of
from tests.core.results.test_pair import FIELDS, line, pair_of
from tests.records import changed

if TYPE_CHECKING:
    from opperf.core.results.outcome import Subject
    from tests.conftest import MakeResult

ENVIRONMENT = {"cpu": "some cpu"}
OUTCOME = Outcome(status="ok")
SERIES = {
    "ReLU": "0162617e4e0628ab",
    "DenseReLU": "479eab144c06ef5f",
    "AddReLU": "dc12496b0473505c",
    "LAMBPhase2": "b179d1b20269b149",
}
"""The keys that the version before the renaming wrote: small, float32, forward, on NumPy."""


def described(name: str) -> Subject:
    """Return an operator as its record states it, fused where it can be."""
    kind = find_operator(name)
    variant = kind.variants()[0]
    return describe(kind(size="small"), find_framework("numpy"), "cpu", Settings(), variant)


def by_older_name(subject: Subject, older: str) -> Subject:
    """Return an operator as the version before the renaming stated it."""
    return replace(subject, operator={**subject.operator, "name": older})


def test_the_table_is_of_todays_operators() -> None:
    """No operator has an older name, and each has one at the most, which filters find."""
    assert set(OLDER_NAMES.values()) <= set(operators())
    assert not set(OLDER_NAMES) & set(operators())
    assert len(set(OLDER_NAMES.values())) == len(OLDER_NAMES)
    assert [name for name, today in OLDER_NAMES.items() if name.lower() != today.lower()] == []


@pytest.mark.parametrize("older", OLDER_NAMES)
def test_keys_are_those_of_the_older_name(older: str) -> None:
    """Of the series, the definition, a comparison's pairs and the subject of a store."""
    subject = described(OLDER_NAMES[older])
    before = by_older_name(subject, older)
    assert subject.operator["name"] == OLDER_NAMES[older]
    assert series_key(subject, "forward", ENVIRONMENT) == series_key(before, "forward", ENVIRONMENT)
    assert definition_key(subject, "forward", OUTCOME) == definition_key(before, "forward", OUTCOME)
    records = [OperatorRecord(**one.operator, direction="forward") for one in (subject, before)]
    assert pair_key(records[0], (), {}) == pair_key(records[1], (), {})
    given = {"inputs": [], "attributes": {}, "initializer": None, "definition_key": ""}
    stored = [subject_of({"operator": one.operator, **given}) for one in (subject, before)]
    assert stored[0] == stored[1]


@pytest.mark.parametrize("name", SERIES)
def test_series_go_on(name: str) -> None:
    """Their keys are what an earlier version wrote, those of the parts of a fused one too."""
    subject = described(name)
    assert series_key(subject, "forward", ENVIRONMENT) == SERIES[name]
    parts = {part.operator["name"]: part for part in subject.parts}
    if "ReLU" in parts:
        assert series_key(parts["ReLU"], "forward", ENVIRONMENT) == SERIES["ReLU"]


@pytest.mark.parametrize("kind", ["operator", "task"])
def test_an_older_record_is_read_by_todays_name(make_result: MakeResult, kind: str) -> None:
    """Its subject likewise, where that is an operator; nothing else of it is changed."""
    today = changed(make_result(), operator={"name": "DenseReLU"})
    subject = {"kind": kind, "name": "DenseRelu"}
    operator = {**today.operator.to_mapping(), "name": "DenseRelu"}
    record = json.loads(json.dumps({**today.to_mapping(), "operator": operator}))
    found = from_mapping({**record, "subject": subject})
    assert found.operator == today.operator
    assert found.subject is not None
    assert found.subject.name == ("DenseReLU" if kind == "operator" else "DenseRelu")
    assert from_mapping({**record, "subject": None}).operator == today.operator


def test_an_older_pair_is_read_by_todays_name() -> None:
    """So that a comparison that was interrupted goes on where it stood."""
    record = line(operator={**FIELDS["operator"], "name": "Relu"})
    today = pair_of(operator={**FIELDS["operator"], "name": "ReLU"})
    assert pair_from(record) == today
    assert pair_from(record).key == today.key


@pytest.mark.parametrize("name", ["Relu", "ReLU"])
def test_what_another_tool_measured_is_called_as_there(make_result: MakeResult, name: str) -> None:
    """Nor does a store take another tool's operator for one of this package."""
    imported = changed(make_result(), operator={"name": name, "category": IMPORTED})
    assert from_mapping(json.loads(imported.to_json())).operator.name == name
    own = changed(imported, operator={"category": "activation"})
    other = {"Relu": "ReLU", "ReLU": "Relu"}[name]
    stored = subject_of(imported.to_mapping())
    assert stored != subject_of(changed(imported, operator={"name": other}).to_mapping())
    assert (stored == subject_of(own.to_mapping())) is (name == "Relu")


@pytest.mark.parametrize("operator", [None, [], {}, {"name": None}, {"name": []}, {"name": "Relu"}])
def test_a_damaged_record_stays_so(make_result: MakeResult, operator: Any) -> None:
    """What is no operator is refused as ever, in one line."""
    record = {**json.loads(make_result().to_json()), "operator": operator}
    with pytest.raises(ValueError, match=r"^field 'operator.*$"):
        from_mapping(record)


def test_either_spelling_leads_to_both() -> None:
    """Whatever was noted by one of them is found by the other."""
    assert spellings("Relu") == spellings("ReLU") == {"Relu", "ReLU"}
    assert spellings("Add") == {"Add"}

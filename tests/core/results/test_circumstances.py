"""Numbers of another kind of process are another series, and older records stay in theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.circumstances import marks, unusual
from opperf.core.results.identity import digest
from opperf.core.results.outcome import Outcome
from opperf.core.results.parts import OperatorRecord
from opperf.core.results.reading import from_mapping
from opperf.core.results.record import assemble, now
from opperf.declaring.description import describe
from opperf.operators.arithmetic.arithmetic import Add, IAdd
from tests.records import changed

if TYPE_CHECKING:
    from opperf.core.results.result import Result
    from opperf.declaring.declaration import Declaration

ENVIRONMENT = {"cpu": "A CPU", "gpu": None}


def record_of(
    operator: Declaration | None = None, outcome: Outcome | None = None, **settings: Any
) -> Result:
    """Return the record of a small operator."""
    chosen = Settings(**settings)
    subject = describe(
        operator or Add(size="small"), find_framework("numpy"), "cpu", chosen, "only"
    )
    made = outcome or Outcome(status="failed")
    return from_mapping(assemble(subject, "forward", made, ENVIRONMENT, now()))


def test_a_usual_record_is_of_the_series_that_it_was_of_before() -> None:
    """The fields that came later change no key where they say what had gone without saying."""
    result = record_of()
    assert (result.operator.process, result.operator.cores) == ("laid_out", None)
    names = ("name", "framework", "fused", "device", "cache")
    named = {name: getattr(result.operator, name) for name in names}
    given = [[item.to_mapping() for item in result.inputs], result.attributes, result.initializer]
    assert result.series_key == digest([named, given, "forward", 1, "A CPU"])
    older = {n: v for n, v in result.operator.to_mapping().items() if n not in {"process", "cores"}}
    assert unusual(older) == {}
    assert changed(result, operator={"process": None}).key == result.key


@pytest.mark.parametrize("settings", [{"process": "plain"}, {"cores": 1}, {"cores": 2}])
def test_another_process_is_another_series(settings: dict[str, Any]) -> None:
    """Neither a comparison of runs nor a history puts them together."""
    usual, other = record_of(), record_of(**settings)
    assert other.operator.unusual == settings
    assert other.series_key != usual.series_key
    assert other.key != usual.key
    assert other.definition_key == usual.definition_key


def test_what_was_measured_in_another_way_before_is_not_compared() -> None:
    """In-place operators and several threads have another definition than they had."""
    in_place = Outcome(status="failed", method="pristine_copies")
    assert record_of().definition_key != record_of(threads=2).definition_key
    found = record_of(IAdd(size="small"), in_place)
    inputs = [item.to_mapping() for item in found.inputs]
    what = [
        inputs,
        found.attributes,
        found.initializer,
        found.seed,
    ]
    subject = describe(IAdd(size="small"), find_framework("numpy"), "cpu", Settings(), "only")
    before = ["2", ["IAdd", what, subject.definition, "forward"], "pristine_copies"]
    assert found.definition_key == digest(["3", *before[1:]])
    assert found.definition_key != digest(before)


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        ({}, []),
        ({"process": "laid_out", "cores": None, "threads": 1, "cache": "hot", "fused": None}, []),
        ({"process": "plain", "cores": 1}, ["plain", "1 core"]),
        ({"threads": 2, "cache": "cold", "cores": 2}, ["2 threads", "cold", "2 cores"]),
        ({"fused": False, "process": "other"}, ["(unfused)"]),
    ],
)
def test_what_is_not_as_by_default_is_named(operator: dict[str, Any], expected: list[str]) -> None:
    """And nothing else."""
    fields = {"name": "Add", "category": "c", "framework": "f", "direction": "d", "device": "cpu"}
    assert marks(OperatorRecord(**{**fields, "size": None, "fused": None, **operator})) == expected


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"process": "naked"}, "unknown process 'naked'; allowed: laid_out, plain"),
        ({"cores": 0}, "cores 0: must be a whole number of at least 1, or left out"),
    ],
)
def test_there_are_two_kinds_of_process(changed: dict[str, Any], message: str) -> None:
    """One line says which, and how many cores there may be."""
    with pytest.raises(UsageError, match=message):
        Settings(**changed)

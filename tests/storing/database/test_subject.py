"""What a store takes for one thing, whatever version wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.storing.database.decoding import decode
from opperf.storing.database.numbering import subject_of
from tests.records import changed

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

    Make = Callable[..., Result]

USUAL = {"process": "laid_out", "cores": None}


def with_operator(make_result: Make, **fields: Any) -> Result:
    """Return a result whose operator has these fields besides."""
    result = make_result()
    return changed(result, result_id="0" * 32, operator={**fields})


def test_older_records_are_of_the_same_subject(make_result: Make) -> None:
    """They lack what goes without saying."""
    older, usual = with_operator(make_result), with_operator(make_result, **USUAL)
    assert subject_of(older.to_mapping()) == subject_of(usual.to_mapping())


@pytest.mark.parametrize("changed", [{"process": "plain"}, {"cores": 1}])
def test_another_process_is_another_subject(make_result: Make, changed: dict[str, Any]) -> None:
    """A history of the one never goes on with the other."""
    usual, other = (with_operator(make_result, **fields) for fields in (USUAL, changed))
    assert subject_of(usual.to_mapping()) != subject_of(other.to_mapping())


def test_the_fields_are_nothing_unusual_to_decode(make_result: Make) -> None:
    """Or each line would be parsed the slow way."""
    line = with_operator(make_result, process="plain", cores=1).to_json()
    assert decode(line.encode() + b"\n") is not None

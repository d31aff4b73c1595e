"""Reading quickly: the same results and the same words as the careful way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.errors import UsageError
from opperf.storing import read
from opperf.storing.quick_reading import read_quickly, usual_result
from tests.readers import documents

if TYPE_CHECKING:
    from pathlib import Path


def line_of(record: dict[str, Any]) -> str:
    """Return a record's line as opperf writes it."""
    return json.dumps(record, separators=(",", ":")) + "\n"


USUAL = "".join(map(line_of, documents.records()))
ONE = documents.record(result_id="9" * 32)
OLDER = {**ONE, "operator": {**ONE["operator"], "name": "Relu"}}
SECOND = {**ONE, "result_id": "8" * 32, "supersedes": "9" * 32}
MOVED = {"environment": ONE["environment"], **{n: v for n, v in ONE.items() if n != "environment"}}


@pytest.mark.parametrize(
    "text",
    [
        USUAL,
        USUAL + line_of(OLDER),
        USUAL + line_of(ONE) + line_of(SECOND),
        USUAL + line_of(MOVED),
        USUAL + json.dumps(ONE) + "\n",
        USUAL + USUAL,
        USUAL + "{}\n" + line_of(ONE),
        USUAL + line_of({**ONE, "status": "wonderful"}) + line_of(SECOND),
        USUAL + line_of({**ONE, "environment": {"cpu": 1}}) + line_of(SECOND),
        USUAL + line_of({**ONE, "started_at": "never"}) + line_of(SECOND),
        USUAL + line_of(ONE)[:-20],
        f"[{line_of(ONE)}]",
        "",
    ],
)
def test_the_same_as_the_careful_way(tmp_path: Path, text: str) -> None:
    """Of usual lines, of older and damaged ones, torn ones, and of an array."""
    path = tmp_path / "results.jsonl"
    path.write_text(text)
    careful, quick = read(path), read_quickly(path)
    assert quick == careful
    assert [one.to_json() for one in quick.results] == [one.to_json() for one in careful.results]


def test_a_file_without_a_sound_line_is_refused_in_the_same_words(tmp_path: Path) -> None:
    """The first line is named."""
    path = tmp_path / "results.jsonl"
    path.write_text("{}\n{}\n")
    for way in (read, read_quickly):
        with pytest.raises(UsageError, match="line 1: unknown record version"):
            way(path)


def test_a_usual_line_goes_the_quick_way_and_shares_its_environment() -> None:
    """Otherwise nothing would be gained."""
    lines = [line.encode() for line in USUAL.splitlines(keepends=True)]
    found = [usual_result(line) for line in lines]
    assert all(found)
    assert len({id(one.environment) for one in found if one}) == 1
    assert usual_result(line_of(OLDER).encode()) is None

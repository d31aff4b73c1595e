"""Results and other rows in every form."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING

import pytest

from opperf.core.errors import UsageError
from opperf.core.results.reading import from_mapping
from opperf.reporting.printing import print_rows
from opperf.reporting.registry import forms_of, require_form
from opperf.reporting.rows import FIELDS
from opperf.reporting.subjects import Listing, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TextIO

    from opperf.core.results.result import Result

    Make = Callable[..., Result]

MARKDOWN = """\
| operator   | inputs        | direction   |   mxnet \\[ms\\] |   pytorch \\[ms\\] |   ratio |    | output   |   mxnet rate |   pytorch rate |
|------------|---------------|-------------|----------------|------------------|---------|----|----------|--------------|----------------|
| Dot        | (1024,1024)x2 | forward     |     31.2 ±0.4% |       31.2 ±0.4% |    1.00 | ~  | 4.19 MB  | 68.8 GFLOP/s |   68.8 GFLOP/s |

2 ok

- time: median, ± half its 95 % interval within this one process
- ratio: pytorch / mxnet; below 1, pytorch takes less time; geometric mean 1.00 over 1 reliable pair
- ~ in noise: intervals overlap, or the ratio is within 2 % of 1
"""  # noqa: E501 - Markdown tables do not wrap


def write(results: Sequence[Result], form: str, stream: TextIO) -> None:
    """Write results in a form of a run."""
    require_form(form, Run, "output format").write(Run(name="", results=results), stream)


def written(results: Sequence[Result], form: str) -> str:
    """Return what is written."""
    stream = io.StringIO()
    write(results, form, stream)
    return stream.getvalue()


def printed(rows: Sequence[Mapping[str, object]], form: str, width: int | None = None) -> str:
    """Return what is printed."""
    stream = io.StringIO()
    print_rows(rows, form, stream, width=width)
    return stream.getvalue()


@pytest.mark.parametrize("count", [0, 1, 2])
def test_json_is_one_array_of_records(make: Make, count: int) -> None:
    """Each is what the journal holds, hostile names included."""
    results = [make(name=f"</script>\x1b{n}") for n in range(count)]
    text = written(results, "json")
    assert [from_mapping(item).operator.name for item in json.loads(text)] == [
        result.operator.name for result in results
    ]
    assert "\x1b" not in text


def test_jsonl_is_a_line_a_record(make: Make) -> None:
    """Each can be read alone."""
    lines = written([make(), make(reason="two\nlines")], "jsonl").splitlines()
    assert [json.loads(line)["reason"] for line in lines] == [None, "two\nlines"]


def test_csv_has_a_header_and_a_row_a_result(make: Make) -> None:
    """Missing is empty, never zero; numbers keep their digits."""
    rows = [*csv.DictReader(io.StringIO(written([make(), make(status="failed")], "csv")))]
    assert tuple(rows[0]) == FIELDS
    assert float(rows[0]["seconds"]) == 0.0312
    assert (rows[1]["seconds"], rows[1]["n"], rows[1]["fused"]) == ("", "", "")
    assert written([], "csv").strip().split(",") == [*FIELDS]


def test_csv_disarms_formulas(make: Make, hostile: str) -> None:
    """And it holds nothing that a terminal or a reader by lines would stumble over."""
    text = written([make(name="=cmd()", reason=hostile, status="failed")], "csv")
    assert len(text.splitlines()) == 2
    assert "\n'=cmd()," in text
    assert "\x1b" not in text


def test_markdown_is_the_table_side_by_side(make: Make) -> None:
    """At full width, with its legend as a list."""
    results = [make(), make(framework="pytorch", warnings=["drift"])]
    assert written(results, "md") == MARKDOWN


def test_markdown_of_nothing_says_so() -> None:
    """As on a terminal."""
    assert written([], "md") == "no results\n"


def test_markdown_escapes_names(make: Make, hostile: str) -> None:
    """Every line of the table keeps its number of columns, and there is no HTML."""
    results = [make(name=hostile, framework=hostile), make(status="crashed", reason=hostile)]
    text = written(results, "md")
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table}) == 1
    assert "<" not in text
    assert "\x1b" not in text


def test_markdown_suits_the_stream(make: Make) -> None:
    """Under LANG=C it is ASCII."""
    buffer = io.BytesIO()
    stream = io.TextIOWrapper(buffer, encoding="ascii")
    write([make(name="Größe")], "md", stream)
    stream.flush()
    assert b"31.2 +-0.4%" in buffer.getvalue()
    assert b"Gr??e" in buffer.getvalue()


ROWS = [
    {"operator": "Add", "mxnet": True, "sizes": ["small", "typical"], "n": -1.5},
    {"operator": "Dot", "mxnet": False, "pytorch": None},
]


def test_rows_as_a_table() -> None:
    """Truths are yes and no, missing is a dash, columns appear as their keys do."""
    assert printed(ROWS, "table") == (
        "operator  mxnet  sizes           n     pytorch\n"
        "Add       yes    small, typical  -1.5  -\n"
        "Dot       no     -               -     -\n"
    )


def test_rows_as_a_table_fit_the_width() -> None:
    """Texts are cut."""
    assert printed(ROWS, "table", width=40) == (
        "operator  mxnet  sizes    n     pytorch\n"
        "Add       yes    small,…  -1.5  -\n"
        "Dot       no     -        -     -\n"
    )


def test_rows_as_json_are_an_array_and_nothing_else() -> None:
    """As given; what JSON does not know is text."""
    assert json.loads(printed(ROWS, "json")) == ROWS
    assert json.loads(printed([], "json")) == []
    assert json.loads(printed([{"path": io}], "json"))[0]["path"].startswith("<module")


def test_rows_as_csv() -> None:
    """Truths as in JSON, missing empty, negative numbers as numbers, formulas disarmed."""
    assert printed([*ROWS, {"operator": "=x"}], "csv") == (
        'operator,mxnet,sizes,n,pytorch\nAdd,true,"small, typical",-1.5,\nDot,false,,,\n\'=x,,,,\n'
    )


def test_rows_as_markdown() -> None:
    """A GitHub table, escaped."""
    assert printed([{"a|b": "<i>"}], "md").splitlines() == [
        r"| a\|b      |",
        "|-----------|",
        "| &lt;i&gt; |",
    ]


@pytest.mark.parametrize("form", ["table", "md", "csv"])
def test_no_rows_print_nothing(form: str) -> None:
    """Without rows there are no columns."""
    assert printed([], form) == ""


@pytest.mark.parametrize("form", ["table", "md"])
def test_rows_for_people_hold_no_control_characters(form: str, hostile: str) -> None:
    """Neither do their headers."""
    assert "\x1b" not in printed([{hostile: hostile}], form)
    assert "\x1b" not in printed([{hostile: [hostile]}], form, width=20)


def test_an_unknown_form_is_refused() -> None:
    """With the nearest match and what there is."""
    with pytest.raises(UsageError, match=r"unknown output format 'jsn'.*did you mean 'json'"):
        write([], "jsn", io.StringIO())
    with pytest.raises(UsageError, match=r"unknown format 'html'.*csv, json, md, table"):
        print_rows([], "html", io.StringIO())
    assert {*forms_of(Listing)} - {*forms_of(Run)} == {"table"}

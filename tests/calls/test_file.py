"""A calls file is read strictly, and what is wrong is said of the call and its operator."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from opperf.calls.format import content, nesting
from opperf.calls.format.content import LARGEST_OF_CALLS
from opperf.calls.format.faults import MOST_SAID, CallFaults
from opperf.calls.format.file import parse_calls, text_of, write_calls
from opperf.calls.format.model import ArgumentRecord, CallRecord, TensorRecord
from opperf.calls.format.schema import calls_schema
from opperf.calls.format.values import CallTensor, Constant, call_from
from opperf.calls.reading.constants import value_of
from opperf.calls.reading.reading import read_calls
from opperf.core.errors import UsageError
from tests.calls import documents
from tests.calls.documents import DATA, EMBEDDING, MM, ODD

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = Draft202012Validator(calls_schema())


def refusal(data: bytes) -> str:
    """Return how bytes are refused, in one line."""
    with pytest.raises(UsageError) as raised:
        parse_calls(data)
    text = str(raised.value)
    assert "\n" not in text
    return text


def with_value(value: Any) -> bytes:
    """Return a calls file whose second call has this argument."""
    call = {"operator": "aten.mul.Tensor", "count": 1, "arguments": [{"value": value}]}
    return documents.data(MM, call)


def test_every_field_is_read() -> None:
    """And what was left out has its default."""
    record = parse_calls(documents.data())
    product, embedding, odd = record.calls
    assert (record.network, record.mode, record.batch) == ("toy", "training", 8)
    assert [argument.name for argument in product.arguments] == ["self", "mat2"]
    assert product.arguments[1].value == TensorRecord(
        shape=(16, 4), dtype="float32", strides=(1, 16), values=product.arguments[1].value.values
    )
    assert product.places[1].phase == "backward"
    assert embedding.arguments[1].value.values.below == 100
    assert odd.count == 2**62
    assert odd.arguments[0].value[1:] == (None, True, 1, 0.5, "sum")


def test_it_is_written_as_it_was_read(tmp_path: Path) -> None:
    """A line a call, and what may be left out is."""
    record = parse_calls(documents.data())
    write_calls(record, tmp_path / "toy.calls.json")
    assert read_calls(tmp_path / "toy.calls.json") == record
    lines = (tmp_path / "toy.calls.json").read_text().splitlines()
    assert len(lines) == len(record.calls) + 2
    assert '"shape":[8,16],"dtype":"float32"}' in lines[1]
    assert [path.name for path in tmp_path.iterdir()] == ["toy.calls.json"]


def test_what_would_not_be_read_as_the_same_is_not_written(tmp_path: Path) -> None:
    """Such as an infinity, which would come back as null."""
    record = parse_calls(documents.data())
    wrong = CallRecord(
        operator="aten.add.Scalar", count=1, arguments=(ArgumentRecord(value=float("inf")),)
    )
    with pytest.raises(UsageError, match="not the same when it is read"):
        write_calls(replace(record, calls=(wrong,)), tmp_path / "wrong.json")
    assert not [*tmp_path.iterdir()]
    kept = replace(wrong, arguments=(ArgumentRecord(value=value_of(float("inf"))),))
    write_calls(replace(record, calls=(kept,)), tmp_path / "right.json")


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """With the reason of the system."""
    with pytest.raises(UsageError, match=r"cannot write .*absent/x\.json: No such file"):
        write_calls(parse_calls(documents.data()), tmp_path / "absent" / "x.json")


def test_the_schema_is_one_and_takes_what_is_written() -> None:
    """Before it was read, and as it is written."""
    Draft202012Validator.check_schema(calls_schema())
    assert not [*SCHEMA.iter_errors(documents.document())]
    written = json.loads(text_of(parse_calls(documents.data())))
    assert not [*SCHEMA.iter_errors(written)]
    assert calls_schema()["$id"] == "opperf.calls/1"


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "unknown field": ({**MM, "colour": 1}, "field 'colour' is unknown"),
    "no count": ({"operator": "aten.mm.default"}, "field 'count' is missing"),
    "count of none": ({**MM, "count": 0}, "field 'count' must be int >= 1, not 0"),
    "count that is true": ({**MM, "count": True}, "field 'count' must be int, not true"),
    "no phase": (
        {**MM, "places": [{"module": "", "phase": "sideways", "count": 1}]},
        "field 'places[0].phase' must be Invalid enum value 'sideways', not 'sideways'",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_call_is_named(name: str) -> None:
    """By its number and operator; the schema refuses it as well."""
    call, reason = WRONG[name]
    assert refusal(documents.data(EMBEDDING, call)) == f"call 2 (aten.mm.default): {reason}"
    assert [*SCHEMA.iter_errors(documents.document(call))]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({**DATA, "strides": [1, -1]}, "field 'arguments[0].value.strides[1]' must be int >= 0"),
        ({**DATA, "shape": [-1]}, "field 'arguments[0].value.shape[0]' must be int >= 0, not -1"),
        ({**DATA, "shape": [2**62 + 1]}, "must be int <= 4611686018427387904"),
        ({**DATA, "shape": [1.5]}, "must be int, not 1.5"),
        ({**DATA, "shape": [1] * 65}, "array of length <= 64"),
        ({**DATA, "dtype": "\x1b[31m"}, "must be str matching regex"),
        ({**DATA, "stride": [1, 1]}, "field 'arguments[0].value.stride' is unknown"),
        ({**DATA, "values": {"kind": "secrets"}}, "values.kind' must be"),
        ({"type": "pickle"}, "field 'arguments[0].value.type' must be"),
        ({"shape": [1]}, "field 'arguments[0].value.type' is missing"),
        ([[DATA]], "field 'arguments[0].value[0]' must be"),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_named(value: Any, reason: str) -> None:
    """With its place within the call; the schema refuses it as well."""
    said = refusal(with_value(value))
    assert said.startswith("call 2 (aten.mul.Tensor): ")
    assert reason in said
    assert [*SCHEMA.iter_errors(json.loads(with_value(value)))]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({**DATA, "strides": [1]}, "must be a tensor with 2 strides, one a dimension"),
        ({**DATA, "shape": [2**40, 2**40]}, "must be a tensor of at most 2^62 elements"),
        (2**63, "must be int <= 9223372036854775807"),
        ({**DATA, "strides": [2**62, 1]}, "must be a tensor whose strides reach at most 2^62"),
    ],
)
def test_a_tensor_that_contradicts_itself_is_named(value: Any, reason: str) -> None:
    """What no schema can say."""
    assert reason in refusal(with_value(value))


@pytest.mark.parametrize(
    "value",
    [
        {**DATA, "shape": [10**6, 10**6]},
        {**DATA, "strides": [1, 1]},
        {**DATA, "strides": [0, 0]},
        {**DATA, "shape": [0, 2**62], "strides": [2**62, 2**62]},
    ],
)
def test_what_only_a_measurement_could_not_have_is_read(value: Any) -> None:
    """A tensor of 10^12 elements, and such whose elements share memory."""
    assert parse_calls(with_value(value)).calls[1].arguments[0].value.dtype == "float32"


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999", "[1,", "tru"])
def test_a_number_that_is_none_is_found(text: str) -> None:
    """In a line with the operator before it, whatever is no JSON."""
    data = with_value("HERE").replace(b'"HERE"', text.encode())
    said = refusal(data)
    assert "call 2 (aten.mul.Tensor)" in said
    assert ("not JSON: " in said) == (text != "1e999")


def test_a_call_that_stands_there_twice_is_refused() -> None:
    """For nobody knows which count is meant; 1 and true are two calls."""
    assert refusal(documents.data(MM, EMBEDDING, {**MM, "count": 3})) == (
        "call 3 (aten.mm.default): the same as call 1; add their counts"
    )
    ones = [{**MM, "arguments": [{"value": value}]} for value in (1, True, 1.0)]
    assert len(parse_calls(documents.data(*ones)).calls) == 3


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{}", "no calls file: it does not say schema 'opperf.calls/1'"),
        (b"[]", "not as a calls file has it: Expected `object`, got `array`"),
        (b"", "not JSON: Input data was truncated"),
        (b'{"schema": "opperf.calls/2"}', "unknown schema 'opperf.calls/2'"),
        (documents.data(calls=[]), "it has no calls"),
        (documents.data(calls=7), "not as a calls file has it: Expected `array`, got `int`"),
        (documents.data(calls=[7]), "call 1: field '' must be object, not 7"),
        (documents.data(network=None), "field 'network' must be str, not null"),
        (documents.data(colour=1), "field 'colour' is unknown"),
        (b'{"schema": "opperf.calls/1", "calls": ' + b"[" * 100_000, "nested deeper than any"),
        (documents.data().replace(b"toy", b"\xff"), "not JSON: "),
        (documents.data().replace(b"toy", b"\\ud800"), "not JSON: "),
    ],
)
def test_what_is_no_calls_file_is_refused(data: bytes, reason: str) -> None:
    """In one line, whatever it is."""
    assert reason in refusal(data)


def test_nesting_is_bounded() -> None:
    """A list a thousand deep is one line that names the call."""
    deep = with_value("HERE").replace(b'"HERE"', b"[" * 500 + b"]" * 500)
    assert refusal(deep).startswith("call 2 (aten.mul.Tensor): field 'arguments[0].value[0]'")
    deeper = deep.replace(b"[]", b"[" * 5000 + b"]" * 5000)
    assert refusal(deeper) == refusal(deep)
    assert refusal(deeper[:9000]) == "nested deeper than any call is"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("[[[1]]]", "[null]"),
        ("[[1], 2, [[3]], {}]", "[null, 2, null, null]"),
        ('{"a":{"b":1},"c":"[[{"}', '{"a":null,"c":"[[{"}'),
        ('["\\"[[", [["]"]]]', '["\\"[[", null]'),
        ("[1]", "[1]"),
        ("[[[", "[null"),
        ("]]", "]]"),
    ],
)
def test_depths_are_cut(text: str, kept: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Brackets within texts are none."""
    monkeypatch.setattr(nesting, "DEEPEST", 1)
    assert nesting.without_depths(text.encode()) == kept.encode()


def test_all_calls_but_the_wrong_ones_are_read() -> None:
    """Each of these is a line; where there is no other call, the file is refused."""
    deep = with_value("HERE").replace(b'"HERE"', b"[" * 5000 + b"]" * 5000)
    document = json.loads(deep.replace(b"[" * 5000 + b"]" * 5000, b"[[]]"))
    again = {**MM, "count": 3}
    wrong = {**MM, "count": 0}
    data = documents.data(MM, wrong, EMBEDDING, again, document["calls"][1], network="toy")
    faults = CallFaults()
    record = parse_calls(data.replace(b"[[]]", b"[" * 5000 + b"]" * 5000), faults)
    assert [call.operator for call in record.calls] == [MM["operator"], EMBEDDING["operator"]]
    assert [line.split(":")[0] for line in faults.lines()] == [
        "call 2 (aten.mm.default)", "call 4 (aten.mm.default)", "call 5 (aten.mul.Tensor)",
    ]  # fmt: skip
    with pytest.raises(UsageError, match=r"field 'count'.*; none of its 2 calls can be read"):
        parse_calls(documents.data(wrong, wrong), CallFaults())


def test_many_wrong_calls_are_few_lines() -> None:
    """And a number."""
    faults = CallFaults()
    parse_calls(documents.data(MM, *[{**MM, "count": 0}] * 30), faults)
    assert faults.count == 30
    assert len([*faults.lines()]) == MOST_SAID + 1
    assert [*faults.lines()][-1] == "20 further calls"


def test_size_and_number_of_calls_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 MB are not read at all."""
    assert refusal(b" " * (LARGEST_OF_CALLS + 1)) == "larger than 64 MiB"
    monkeypatch.setattr(content, "MOST_CALLS", 2)
    assert refusal(documents.data()) == "more than 2 distinct calls"


@dataclass
class Odd:
    """What no calls file has a place for."""


def test_a_value_without_a_place_is_refused() -> None:
    """By whoever makes the record."""
    for value in (Odd(), 2**63, [[1]], {}):
        with pytest.raises(UsageError):
            value_of(value)
    assert value_of([1, float("nan")])[1].name == "nan"
    assert value_of(1 + 2j).name == "1+2j"


def test_a_child_gets_plain_values() -> None:
    """Tensors and constants as such, of a call as it stands in the file."""
    call = call_from(json.loads(json.dumps(ODD)))
    assert call.operator == "aten.odd.Scalar_out"
    items = call.arguments[0].value
    assert items[0] == CallTensor(shape=(8, 16), dtype="float32")
    assert call.arguments[1].value == Constant("float", "-inf")
    assert call.arguments[3].value.stored == 0
    assert [name for name, _ in call.tensors()] == ["0[0]", "3"]
    assert call_from({"operator": "x", "count": 1}).arguments == ()

"""Logs of operatorbench's form are read without a loss, and nothing in them is executed."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from opperf.calls.format.content import LARGEST_OF_CALLS
from opperf.calls.format.faults import CallFaults
from opperf.calls.format.file import parse_calls, text_of
from opperf.calls.format.model import ConstantRecord, TensorRecord
from opperf.calls.reading import logs
from opperf.calls.reading.logs import parse_log
from opperf.calls.reading.reading import read_calls
from opperf.core.errors import UsageError
from tests.calls.documents import LOG, abbreviated

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.calls.format.model import CallsRecord

MANY = 300


def read(text: str) -> CallsRecord:
    """Return what a log says."""
    return parse_log(text.encode(), "toy")


def refusal(text: str) -> str:
    """Return how a log is refused, in one line."""
    with pytest.raises(UsageError) as raised:
        read(text)
    said = str(raised.value)
    assert "\n" not in said
    return said


def line(arguments: str, count: object = 1) -> str:
    """Return a log of one call."""
    return f"Operator: aten.mm.default\ncnt: {count}, {arguments}\n"


def tensors(record: CallsRecord) -> int:
    """Return how many tensors are arguments, in lists too."""
    values = [argument.value for call in record.calls for argument in call.arguments]
    items = [item for value in values for item in (value if isinstance(value, tuple) else (value,))]
    return sum(isinstance(item, TensorRecord) for item in items)


def test_each_form_of_a_value_is_read() -> None:
    """Tensors, lists of them, constants, infinities and devices."""
    record = read(LOG)
    by_name: dict[str, Any] = {call.operator: call for call in record.calls}
    assert len(record.calls) == 7
    product, half = record.calls[:2]
    assert product.count == 12
    assert product.arguments[1].value == TensorRecord(
        shape=(16, 4), dtype="float32", strides=(1, 16)
    )
    assert half.arguments[0].value.dtype == "bfloat16"
    joined, dimension = by_name["aten.cat.default"].arguments
    assert len(joined.value) == 2
    assert dimension.value == 1
    indices = by_name["aten.index.Tensor"].arguments[1].value
    assert indices == (None, TensorRecord(shape=(), dtype="int64"))
    zeros = by_name["aten.zeros.default"].arguments
    assert [(argument.name, argument.value) for argument in zeros] == [
        (None, (2, 3)),
        ("dtype", ConstantRecord(kind="dtype", name="bool")),
        ("layout", ConstantRecord(kind="layout", name="strided")),
        ("device", ConstantRecord(kind="device", name="cuda")),
        ("pin_memory", None),
    ]
    mask, lowest = by_name["aten.masked_fill.Scalar"].arguments[1:]
    assert mask.value.strides == (0,)
    assert lowest.value == ConstantRecord(kind="float", name="-inf")
    assert by_name["aten.detach.default"].arguments == ()
    assert (record.framework, record.device, record.network) == ("pytorch", "cuda", "toy")
    assert parse_calls(text_of(record)) == record


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1), ("-1", -1), ("1.", 1.0), ("1e-05", 1e-5), ("-1.5E+3", -1500.0), ("True", True),
        ("None", None), ("'a b'", "a b"), ('"it\'s"', "it's"), ("(1,)", (1,)), ("[]", ()),
        ("[1, 2,]", (1, 2)), ("(1)", 1), ("inf", ConstantRecord(kind="float", name="inf")),
        ("nan", ConstantRecord(kind="float", name="nan")),
        ("(1+2j)", ConstantRecord(kind="complex", name="1+2j")),
        ("1j", ConstantRecord(kind="complex", name="1j")),
        ("f16", ConstantRecord(kind="dtype", name="float16")),
        ("torch.uint8", ConstantRecord(kind="dtype", name="uint8")),
        ("torch.sparse_coo", ConstantRecord(kind="layout", name="sparse_coo")),
        ("torch.channels_last", ConstantRecord(kind="memory_format", name="channels_last")),
        ("torch.device('cuda')", ConstantRecord(kind="device", name="cuda")),
        ("torch.device(type='cuda', index=1)", ConstantRecord(kind="device", name="cuda:1")),
        ("'cuda'", "cuda"),
        ("ST([3, 4], f32, torch.sparse_coo, True, 2)",
         TensorRecord(shape=(3, 4), dtype="float32", layout="sparse_coo", coalesced=True,
                      stored=2)),
    ],
)  # fmt: skip
def test_a_value_is_what_python_would_take_it_for(text: str, value: Any) -> None:
    """As far as the form goes."""
    assert read(line(f"(({text},), {{}})")).calls[0].arguments[0].value == value


@pytest.mark.parametrize("short", logs.ABBREVIATIONS)
def test_every_element_type_of_the_writer_is_known(short: str) -> None:
    """Of a tensor, and as an argument."""
    record = read(line(f"((T([1], {short}),), {{'dtype': {short}}})"))
    given, by_name = record.calls[0].arguments
    assert given.value.dtype == by_name.value.name == logs.ABBREVIATIONS[short]


def test_nothing_is_lost_of_a_long_log() -> None:
    """Operators, calls and tensors are as many as one counts in the text."""
    random = Random(7)  # noqa: S311 - any log will do
    text = ""
    for operator in range(MANY // 10):
        text += f"Operator: aten.op{operator}.Tensor_out\n"
        for _ in range(10):
            shapes = [[random.randrange(1, 9) for _ in range(random.randrange(4))] for _ in "123"]
            given = [
                abbreviated(shape, random.choice([*logs.ABBREVIATIONS]), shape or None)
                for shape in shapes
            ]
            text += f"cnt: {random.randrange(1, 99)}, (([{given[0]}, {given[1]}], {given[2]}, 2), "
            text += f"{{'alpha': {random.random()}}})\n"
    record = read(text)
    assert len({call.operator for call in record.calls}) == text.count("Operator: ")
    assert len(record.calls) == text.count("cnt: ") == MANY
    assert sum(call.count for call in record.calls) == sum(
        int(count) for count in re.findall(r"cnt: (\d+)", text)
    )
    assert tensors(record) == text.count("T([")


def test_a_call_that_stands_there_twice_is_counted_once() -> None:
    """With the sum of the counts; 1 and True are two calls."""
    text = line("((1,), {})", 2) + line("((True,), {})") + line("((1,), {})", 3)
    assert [(call.count, call.arguments[0].value) for call in read(text).calls] == [
        (5, 1),
        (1, True),
    ]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("((T([1], f99),), {})", "unknown 'f99' at character 18"),
        ("((open('x'),), {})", "unknown 'open' at character 11 is called"),
        ("((T.__class__,), {})", "unknown 'T.__class__' at character 11"),
        ("((T([-1], f32),), {})", "T at character 11: field 'shape[0]' must be int >= 0, not -1"),
        ("((T([1], f32, stride=(-1,)),), {})", "field 'strides[0]' must be int >= 0, not -1"),
        ("((T([1, 2], f32, stride=(1,)),), {})", "must be a tensor with 2 strides"),
        ("((T([1], 2),), {})", "T at character 11: 2 is no dtype"),
        ("((T([1]),), {})", "T at character 11: missing 1 required positional argument: 'dtype'"),
        ("((T([1], f32, colour=1),), {})", "got an unexpected keyword argument 'colour'"),
        ("((T([1], f32, stride=(1,), stride=(1,)),), {})", "'stride' at character 36 is repeated"),
        ("((T([1000000000000000000000], f32),), {})", "must be int"),
        ("((99999999999999999999,), {})", "has more than 64 bits"),
        (f"(({'9' * 5000},), {{}})", "a number of 5000 characters at character 11"),
        ("((1, 2), {}", "the end where ',' or ')' should be"),
        ("((1 2), {})", "'2' at character 13 where ',' or ')' should be"),
        ("((1, 2), {}) 3", "'3' at character 22 where the end should be"),
        ("((1;), {})", "unexpected ';), {})' at character 12"),
        ("((1), {})", "the arguments are not as in ((POSITIONAL, ...), {'NAME': VALUE})"),
        ("((1,),)", "the arguments are not as in"),
        ("((1,), {'a': 1, 'a': 2})", "a name at character 25 is none, or repeated"),
        ("((1,), {1: 1})", "a name at character 17 is none, or repeated"),
        ("((1,), {'a b': 1})", "'a b' is no name of an argument"),
        ("((1,), {'a' 1})", "'1' at character 21 where ':' should be"),
        ("((([[1]]),), {})", "(1,) is no argument, or is nested too deeply"),
        ("(({'a': 1},), {})", "is no argument, or is nested too deeply"),
        (f"(({'[' * 1000}1{']' * 1000},), {{}})", "nested deeper than 16 levels at character"),
        (f"(({'T(' * 1000}1{')' * 1000},), {{}})", "nested deeper than 16 levels at character"),
        ("((torch.device(3),), {})", "torch.device at character 11: (3, None) is no device"),
        ("((ST([1], f32, 3, True),), {})", "3 is no layout"),
        ("((x\x00,), {})", "unexpected"),
        ("((\udcff,), {})", "unexpected"),
    ],
)  # fmt: skip
def test_what_is_no_call_is_named_with_its_line(arguments: str, reason: str) -> None:
    """And its operator; 'character' counts within the line."""
    text = LOG + line(arguments).encode(errors="surrogateescape").decode(errors="replace")
    said = refusal(text)
    assert said.startswith("line 15 (aten.mm.default): ")
    assert reason in said


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("cnt: 1, ((), {})\n", "line 1: a call without an 'Operator: NAME' before it"),
        ("Operator: aten.mm.default\n", "it has no calls"),
        ("", "it has no calls"),
        (line("((), {})", 0), "is neither 'Operator: NAME' nor 'cnt: N, ARGUMENTS'"),
        (line("((), {})", "1_0"), "is neither 'Operator: NAME' nor 'cnt: N, ARGUMENTS'"),
        (line("((), {})", "9" * 30), "is neither 'Operator: NAME' nor 'cnt: N, ARGUMENTS'"),
        ("Operator: __import__('os')\n", "line 1: \"Operator: __import__('os')\" is neither"),
        (line("((), {})") + "else\n", "line 3 (aten.mm.default): 'else' is neither"),
        (line(f"(('{'x' * 2**20}',), {{}})"), "longer than 1,048,576 characters"),
    ],
)
def test_what_is_no_log_is_named(text: str, reason: str) -> None:
    """In one line, whatever it is."""
    assert reason in refusal(text)


def test_all_lines_but_the_wrong_ones_are_read() -> None:
    """Calls behind a line that names no operator are nobody's."""
    faults = CallFaults()
    wrong = "cnt: 1, ((T([1], f99),), {})\nOperator: a b\ncnt: 1, ((), {})\n"
    record = parse_log((line("((), {})") + wrong + LOG).encode(), "toy", faults)
    assert (
        sum(call.count for call in record.calls) == sum(call.count for call in read(LOG).calls) + 1
    )
    assert [said.partition(": ")[0] for said in faults.lines()] == [
        "line 3 (aten.mm.default)", "line 4", "line 5",
    ]  # fmt: skip
    with pytest.raises(UsageError, match=r"line 2 .*: unknown 'f99' at character 18$"):
        parse_log(line("((T([1], f99),), {})").encode(), "toy", CallFaults())


def test_a_large_log_is_refused_before_it_is_read() -> None:
    """100 MB are refused with the limit."""
    assert refusal("\n" * (LARGEST_OF_CALLS + 1)) == "larger than 64 MiB"


def test_a_log_is_found_by_what_it_says(tmp_path: Path) -> None:
    """Whatever it is called; its name is the network's."""
    path = tmp_path / "toy.json"
    path.write_text(LOG)
    assert read_calls(path) == read(LOG)
    path.write_text("cnt: x")
    with pytest.raises(UsageError, match=r"toy\.json: line 1: 'cnt: x' is neither"):
        read_calls(path)

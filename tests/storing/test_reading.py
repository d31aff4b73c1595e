import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opperf.core.errors import UsageError
from opperf.core.results.reading import from_mapping
from opperf.core.results.result import Result
from opperf.storing import read, read_records
from opperf.storing.document import DEEPEST, DIGITS, LONGEST
from tests.records import changed

MakeResult = Callable[..., Result]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a run would keep its results."""
    return tmp_path / "results.jsonl"


@pytest.fixture(scope="session")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file to write over and over."""
    return tmp_path_factory.mktemp("fuzz") / "results.jsonl"


def line_of(result: Result, **changes: Any) -> bytes:
    """Return the result's line, with fields changed whatever they must be."""
    return json.dumps(result.to_mapping() | changes).encode() + b"\n"


def replaced(line: bytes, old: bytes, new: bytes) -> bytes:
    """Return the line with a piece of it replaced."""
    assert line.count(old) == 1
    return line.replace(old, new)


def test_results_come_back_as_they_were(path: Path, make_result: MakeResult) -> None:
    """In their order, in every field, with nothing to warn of."""
    results = (make_result(tags=("nightly",)), make_result(status="failed", summary=None))
    path.write_bytes(b"".join(line_of(result) for result in results))
    reading = read(path)
    texts = [result.to_json() for result in reading.results]
    assert texts == [result.to_json() for result in results]
    assert reading.warning is None
    assert reading.size == path.stat().st_size


def test_of_a_row_measured_once_more_the_later_result_counts(
    path: Path, make_result: MakeResult
) -> None:
    """In the place of the first, which the file keeps; killed in between, the first counts."""
    first, other = make_result(status="noisy"), make_result()
    second = make_result(supersedes=first.result_id)
    path.write_bytes(line_of(first) + line_of(other))
    assert read(path).results == (first, other)
    with path.open("ab") as file:
        file.write(line_of(second))
    assert read(path).results == (second, other)
    assert read(path).size == path.stat().st_size


def test_an_empty_file_holds_no_results(path: Path) -> None:
    """As after a run that ended before its first operator did."""
    path.touch()
    assert read(path).results == ()
    assert read(path).warning is None


def test_a_missing_file_is_named(path: Path) -> None:
    """And so is a directory in its place."""
    with pytest.raises(UsageError, match=r"cannot read .*results\.jsonl: No such file"):
        read(path)
    with pytest.raises(UsageError, match=r"cannot read .*: Is a directory"):
        read(path.parent)


@pytest.mark.parametrize("earlier", [0, 2])
def test_a_last_line_torn_anywhere_is_left_out(
    path: Path, make_result: MakeResult, earlier: int
) -> None:
    """All before it is read, and the warning names the line; even if only the newline is gone."""
    whole = b"".join(line_of(make_result()) for _ in range(earlier))
    line = line_of(make_result())
    for end in range(1, len(line)):
        path.write_bytes(whole + line[:end])
        reading = read(path)
        assert len(reading.results) == earlier
        assert reading.size == len(whole)
        expected = f"line {earlier + 1}: no newline at its end; this torn last line is left out"
        assert str(reading.warning).endswith(expected)


@pytest.mark.parametrize("end", [b"\0" * 512, b"\0\0\n", b'{"schema":\n', b"{\xff\n", b"\n"])
def test_a_last_line_that_is_not_json_is_left_out(
    path: Path, make_result: MakeResult, end: bytes
) -> None:
    """A power cut can leave a block of zeros, or one of several blocks."""
    whole = line_of(make_result())
    path.write_bytes(whole + end)
    reading = read(path)
    assert len(reading.results) == 1
    assert reading.size == len(whole)
    assert "line 2: no" in str(reading.warning)


@pytest.mark.parametrize("content", [b"hello", b"hello\n", b"\xef\xbb\xbf{}\n", b"\x1f\x8b\x08"])
def test_a_file_of_another_kind_is_not_taken_for_a_torn_one(path: Path, content: bytes) -> None:
    """Else a text of one line would read as a run without results, and resuming would empty it."""
    path.write_bytes(content)
    with pytest.raises(UsageError, match=r"results\.jsonl line 1: no"):
        read(path)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (b'{"schema":\n', "not JSON: Expecting value at character"),
        (b"\n", "not JSON"),
        (b"\xff\n", "not UTF-8: invalid start byte at byte 0"),
        (b"\0\0\n", "not JSON"),
        (b"[]\n", "not a JSON object"),
        (b"3\n", "not a JSON object"),
        (b"{}\n", "unknown record version None"),
        (b"[" * 100_000 + b"\n", f"nested deeper than {DEEPEST} levels"),
        (b"[" * 60 + b"]" * 60 + b"\n", f"nested deeper than {DEEPEST} levels"),
        (b"9" * 5000 + b"\n", f"an integer of 5000 digits; at most {DIGITS} are allowed"),
    ],
)
def test_a_damaged_line_before_the_last_is_left_out(
    path: Path, make_result: MakeResult, damage: bytes, message: str
) -> None:
    """The first is named with what is wrong with it, and all are counted; the rest is read."""
    path.write_bytes(line_of(make_result()) + damage + damage + line_of(make_result()))
    refused(path, f"{path} line 2: {message}")
    reading = read(path)
    assert len(reading.results) == 2
    assert str(reading.warning).startswith(f"{path} line 2: {message}")
    assert str(reading.warning).endswith("; damaged results left out: 2")
    assert reading.size == path.stat().st_size


def refused(path: Path, message: str) -> None:
    """Check that whoever goes on with a file, as a resumed run does, does not."""
    with pytest.raises(UsageError) as caught:
        read_records(path, from_mapping)
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < len(str(path)) + 400


def test_a_file_of_nothing_but_damage_is_refused(path: Path, make_result: MakeResult) -> None:
    """There is no rest to be shown, whether the file is a journal or an array."""
    for content in (b"hello\nhello\n", line_of(make_result(), tags=3), b"[{}, {}]"):
        path.write_bytes(content)
        with pytest.raises(UsageError, match=r"(line|result) 1: "):
            read(path)


def test_a_damaged_result_of_an_array_is_left_out(path: Path, make_result: MakeResult) -> None:
    """As one of a journal is."""
    whole = make_result().to_mapping()
    path.write_text(json.dumps([whole, whole | {"tags": 3, "result_id": "x"}, {}]))
    reading = read(path)
    assert len(reading.results) == 1
    assert str(reading.warning).startswith(f"{path} result 2: field 'tags' must be array, not 3")
    assert str(reading.warning).endswith("; damaged results left out: 2")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'"median": 1.5e-06', b'"median": NaN', "NaN is not a number"),
        (b'"median": 1.5e-06', b'"median": -Infinity', "-Infinity is not a number"),
        (b'"median": 1.5e-06', b'"median": 1e999', "the number 1e999 is too large"),
        (b'"median": 1.5e-06', b'"median": ' + b"9" * 310, "an integer of 310 digits"),
        (b'"median": 1.5e-06', b'"median": "fast"', "field 'summary.median' must be"),
        (b"opperf.result/5", b"opperf.result/9", "unknown record version 'opperf.result/9'"),
        (b"opperf.result/5", b"x" * 5000, "unknown record version 'xxx"),
        (b'"interval"', b'" nterval"', "field 'summary.interval' is missing"),
        (b'"fused"', b'"Fused"', "field 'operator.fused' is missing"),
        (b'"status": "ok"', b'"status": "good"', "unknown status 'good'; allowed: ok, noisy"),
        (b'"status": "ok"', b'"status": []', "field 'status' must be str, not []"),
        (b'"session": 0, ', b"", "the record lacks session"),
        (b'"session": 0', b'"session": "0"', "field 'session' must be int, not '0'"),
        (b'"name": "Add"', b'"name": "\\ud83d"', "a text holds half a character"),
        (b'"name": "Add"', b'"name": "\\uDC80"', "a text holds half a character"),
    ],
)
def test_a_record_that_is_json_but_wrong_is_damage_on_the_last_line_too(
    path: Path, make_result: MakeResult, old: bytes, new: bytes, message: str
) -> None:
    """No process that was killed leaves such a line, so it is never left out silently."""
    path.write_bytes(line_of(make_result()) + replaced(line_of(make_result()), old, new))
    refused(path, f"{path} line 2: {message}")
    assert str(read(path).warning).startswith(f"{path} line 2: {message}")


def test_a_character_beyond_the_basic_plane_is_read(path: Path, make_result: MakeResult) -> None:
    """JSON escapes it as two surrogates, which together are whole."""
    path.write_bytes(line_of(make_result(reason="\N{SNAIL}")))
    assert read(path).results[0].reason == "\N{SNAIL}"


@pytest.mark.parametrize("ending", [b"\n", b""])
def test_a_line_above_the_limit_is_an_error(
    path: Path, make_result: MakeResult, ending: bytes
) -> None:
    """Of which no more than the limit is read, even at the end of the file."""
    long = line_of(make_result(reason="x" * LONGEST)).rstrip() + ending
    path.write_bytes(line_of(make_result()) + long)
    with pytest.raises(UsageError, match="line 2: longer than 8 MiB"):
        read(path)


def test_a_line_of_just_the_limit_is_read(path: Path, make_result: MakeResult) -> None:
    """The limit is the largest size allowed."""
    room = LONGEST - len(line_of(make_result(reason="")))
    path.write_bytes(line_of(make_result(reason="x" * room)))
    assert path.stat().st_size == LONGEST
    assert len(read(path).results) == 1


def test_a_device_that_never_ends_is_refused() -> None:
    """Rather than read until the memory is full."""
    with pytest.raises(UsageError, match="line 1: longer than 8 MiB"):
        read(Path("/dev/zero"))


def test_a_repeated_line_is_left_out_with_a_warning(path: Path, make_result: MakeResult) -> None:
    """As when two copies of a file were joined; the spelling of the JSON does not matter."""
    first, second = make_result(), make_result()
    fields = dict(reversed(first.to_mapping().items()))
    again = json.dumps(fields, indent=None).encode() + b"\n"
    path.write_bytes(line_of(first) + line_of(second) + again)
    reading = read(path)
    assert [result.result_id for result in reading.results] == [first.result_id, second.result_id]
    assert "lines left out because they repeat earlier ones: 1" in str(reading.warning)
    assert reading.size == path.stat().st_size


def test_one_id_for_two_results_is_an_error(path: Path, make_result: MakeResult) -> None:
    """Nothing says which of them to believe."""
    first = make_result(result_id="abc")
    path.write_bytes(line_of(first) + line_of(changed(first, status="noisy")))
    message = f"{path} line 2: result_id 'abc' stands for another result above"
    refused(path, message)
    assert str(read(path).warning).startswith(message)


@given(st.binary())
def test_no_bytes_raise_anything_else(fuzzed: Path, data: bytes) -> None:
    """Whatever the file holds, it is read or refused."""
    read_or_refuse(fuzzed, data)


@given(st.binary(max_size=20), st.data())
def test_no_spoiled_line_raises_anything_else(
    fuzzed: Path, make_result: MakeResult, noise: bytes, data: st.DataObject
) -> None:
    """Nor does a record with bytes of it replaced."""
    line = line_of(make_result())
    start = data.draw(st.integers(0, len(line)))
    read_or_refuse(fuzzed, line[:start] + noise + line[start + len(noise) :] + line)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
FIELDS = ("schema", "result_id", "status", "operator", "inputs", "tags", "summary", "session")


@given(st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=3))
def test_no_record_of_wrong_types_raises_anything_else(
    fuzzed: Path, make_result: MakeResult, changes: dict[str, Any]
) -> None:
    """Nor does a record with whole fields replaced; what is read can be written again."""
    for result in read_or_refuse(fuzzed, line_of(make_result(), **changes)):
        assert result.to_json().isascii()


def read_or_refuse(path: Path, data: bytes) -> tuple[Result, ...]:
    """Return what is read, or nothing if it is refused in one line."""
    path.write_bytes(data)
    try:
        return read(path).results
    except UsageError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017 - either outcome is right
        return ()

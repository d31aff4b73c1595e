"""Wrong specifications: one line with the file and the JSON path, whatever stands there."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opperf.core.errors import UsageError
from opperf.specs.format.reading import read_specifications
from tests.specs.format.examples import spec, written

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.specs.format.expanded import Specification


def fault_of(path: Path, **options: Any) -> str:
    """Return the one line that a file is refused with."""
    with pytest.raises(UsageError) as refused:
        read_specifications(path, **options)
    (line,) = str(refused.value).splitlines()
    return line


def without(document: dict[str, Any], *steps: str | int) -> dict[str, Any]:
    """Return a document without what stands at a place."""
    holder: Any = document
    for step in steps[:-1]:
        holder = holder[step]
    del holder[steps[-1]]
    return document


def changed(document: dict[str, Any], value: object, *steps: str | int) -> dict[str, Any]:
    """Return a document with another value at a place."""
    holder: Any = document
    for step in steps[:-1]:
        holder = holder[step]
    holder[steps[-1]] = value
    return document


MISSING = {
    "$.model": ("model",),
    "$.tests": ("tests",),
    "$.model.name": ("model", "name"),
    "$.model.format": ("model", "format"),
    "$.tests[0].identifier": ("tests", 0, "identifier"),
    "$.tests[0].metric": ("tests", 0, "metric"),
    "$.tests[0].inputs": ("tests", 0, "inputs"),
    "$.tests[0].inputs.data.shapes": ("tests", 0, "inputs", "data", "shapes"),
}


@pytest.mark.parametrize("place", MISSING)
def test_a_missing_field_is_named_by_its_path(place: str, tmp_path: Path) -> None:
    """Row 33: the error gives the JSON path."""
    path = written(tmp_path, without(spec(), *MISSING[place]))
    assert fault_of(path) == f"{path}: {place}: is missing"


WRONG: list[tuple[str, object, tuple[str | int, ...]]] = [
    (": $.model.name: must be text, not 3", 3, ("model", "name")),
    (": $.model.name: must be text of length >= 1, not ''", "", ("model", "name")),
    (": $.model.nmae: ", None, ("model", "nmae")),
    (": $.tests: must be a list of length >= 1, not []", [], ("tests",)),
    (": $.tests[0]: must be an object, not 1", 1, ("tests", 0)),
    ("$.tests[0].metric: unknown metric 'dealy'; did you mean 'delay'? allowed: delay, error",
     "dealy", ("tests", 0, "metric")),
    ("$.tests[0].inputs.data.shapes: must be a list, not 3", 3,
     ("tests", 0, "inputs", "data", "shapes")),
    ("$.tests[0].inputs.data.shapes[0][1]: must be a whole number >= 0, not -3", [[1, -3]],
     ("tests", 0, "inputs", "data", "shapes")),
    ("$.tests[0].inputs.data.shapes[1]: a tensor of more than 2^50 bytes",
     [[2**48], [2**48, 2]],
     ("tests", 0, "inputs", "data", "shapes")),
    ("$.tests[0].inputs['gpu_0/data'].type: must be text, not false",
     {"ok": {"shapes": [[1]]}, "gpu_0/data": {"shapes": [[1]], "type": False}},
     ("tests", 0, "inputs")),
    ("$.tests[0].inputs.data.type: unknown type 'flaot'; did you mean 'float'?", "flaot",
     ("tests", 0, "inputs", "data", "type")),
    ("$.tests[0].inputs.data: unknown field 'shape'; did you mean 'shapes'?", [[1]],
     ("tests", 0, "inputs", "data", "shape")),
    ("$.tests[0]: unknown field 'itre'; did you mean 'iter'?", 3, ("tests", 0, "itre")),
    ("$.tests[0].iter: must be at least 1, or -1 for the default, not 0", 0, ("tests", 0, "iter")),
    ("$.tests[0].rtol: must be a number >= 0.0, not -1", -1, ("tests", 0, "rtol")),
    ("$.tests[0].timeout: must be a number > 0", 0, ("tests", 0, "timeout")),
    ("$.tests[0].commands.pytorch.threads: must be ", [1],
     ("tests", 0, "commands")),
    ("$.tests[0].identifier: the placeholder {WHO} has no value; give it one with --string_map",
     "{WHO}", ("tests", 0, "identifier")),
    ("$.tests[0].output_files: is missing: metric error", "error", ("tests", 0, "metric")),
    ("$.tests[0].input_files.dta: unknown input 'dta'; did you mean 'data'?", {"dta": "a.npy"},
     ("tests", 0, "input_files")),
    ("$.model.files.model.md5: must be text matching", {"filename": "a", "md5": "xyz"},
     ("model", "files", "model")),
    ("$.model.files.model: unknown field 'sha265'; did you mean 'sha256'?",
     {"filename": "a", "sha265": ""}, ("model", "files", "model")),
    ("$.model.files.model.filename: must be text matching", {"filename": "../a"},
     ("model", "files", "model")),
    ("$.model.files.model.location: must be text matching", {"filename": "a", "location": "a\n"},
     ("model", "files", "model")),
    ("$.model.files.model: filename '..': must be a name", "a/..", ("model", "files", "model")),
    ("unknown field 'benchmark'", [], ("benchmark",)),
]  # fmt: skip


@pytest.mark.parametrize(("words", "value", "steps"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_value_is_named_by_its_path(
    words: str, value: object, steps: tuple[str | int, ...], tmp_path: Path
) -> None:
    """With the value and what is allowed."""
    if steps[-1] == "commands":
        value = {"mxnet": {"threads": 1}, "pytorch": {"threads": value}}
    if steps[-1] == "nmae":
        words = "$.model: unknown field 'nmae'; did you mean 'name'?"
    line = fault_of(written(tmp_path, changed(spec(), value, *steps)))
    assert words in line
    assert line.startswith(f"{tmp_path}/net.json: $")


def test_a_fault_further_below_is_not_mistaken(tmp_path: Path) -> None:
    """Of many free keys the one that is wrong is named, whatever is wrong after it."""
    files: dict[str, Any] = {f"f{number}": "a.pt" for number in range(50)}
    files |= {"f17": 17}
    document = changed(spec(rtol="x"), files, "model", "files")
    assert "$.model.files.f17: must be " in fault_of(written(tmp_path, document))


def test_lists_of_different_lengths_are_refused(tmp_path: Path) -> None:
    """Nobody knows which shape goes with which."""
    inputs = {"a": {"shapes": [[1], [2], [3]]}, "b": {"shapes": [[1], [2]]}}
    line = fault_of(written(tmp_path, spec(inputs=inputs)))
    assert "$.tests[0].inputs.b.shapes: 2 entries, but 3 in $.tests[0].inputs.a.shapes" in line


def test_two_tests_of_one_name_are_refused(tmp_path: Path) -> None:
    """Their results would be taken for one series."""
    document = spec(identifier="same", inputs={"data": {"shapes": [[1], [2]]}})
    assert "tests 0 and 1 are both delay 'same'; write {ID}" in fault_of(
        written(tmp_path, document)
    )


def test_a_cycle_of_lists_is_refused(tmp_path: Path) -> None:
    """By itself, or by another; a file that is listed twice is none."""
    path = written(tmp_path, {"benchmarks": ["b/list.json"]}, "a.json")
    written(tmp_path, {"meta": {}, "benchmarks": ["net.json", "../c.json"]}, "b/list.json")
    written(tmp_path, spec(), "b/net.json")
    (tmp_path / "c.json").symlink_to(path)
    line = fault_of(path)
    assert line.endswith("$.benchmarks[1]: lists itself: a.json -> list.json -> a.json")
    itself = written(tmp_path, {"benchmarks": ["itself.json"]}, "itself.json")
    assert "$.benchmarks[0]: lists itself: itself.json -> itself.json" in fault_of(itself)


def test_lists_are_bounded(tmp_path: Path) -> None:
    """Neither a deep chain nor a list that doubles at each level is read to its end."""
    for number in range(30):
        written(tmp_path, {"benchmarks": [f"{number + 1}.json"]}, f"{number}.json")
    assert "more than 20 lists within each other" in fault_of(tmp_path / "0.json")
    for number in range(15):
        written(tmp_path, {"benchmarks": [f"d{number + 1}.json"] * 2}, f"d{number}.json")
    written(tmp_path, spec(), "d15.json")
    assert "more than 1000 specifications are listed" in fault_of(tmp_path / "d0.json")


def test_tests_are_bounded(tmp_path: Path) -> None:
    """A small file stands for no more than anybody means: it is refused before it is expanded."""
    inputs = {f"i{n}": {"shapes": [[1]]} for n in range(50)} | {"i": {"shapes": [[1]] * 9000}}
    assert "more than 100000 inputs" in fault_of(written(tmp_path, spec(inputs=inputs)))
    document = spec(inputs={"data": {"shapes": [[1]] * 9000}})
    document["tests"] *= 2
    assert "$.tests[1]: more than 10000 tests of one model" in fault_of(written(tmp_path, document))
    written(tmp_path, spec(inputs={"data": {"shapes": [[1]] * 6000}}))
    path = written(tmp_path, {"benchmarks": ["net.json"] * 2}, "list.json")
    assert fault_of(path) == f"{tmp_path}/net.json: $: more than 10000 tests in all"
    document = spec(inputs={"data": {"shapes": [[1]] * 6000}})
    document["tests"][0]["command"] = "{ID}" + "x" * 3000
    assert "$.tests[0]: command lines of more than 16777216" in fault_of(
        written(tmp_path, document)
    )
    long = spec() | {"meta": {"a": {str(n): n for n in range(1000)}}}
    assert "$.meta: more than 1000 values for every record" in fault_of(written(tmp_path, long))


@pytest.mark.parametrize("field", ["command", "identifier"])
def test_placeholders_stand_for_no_more_than_a_text_may(field: str, tmp_path: Path) -> None:
    """A few thousand of a long one would fill the memory."""
    document = changed(spec(), "{long}" * 600, "tests", 0, field)
    document["tests"][0]["long"] = "x" * 60_000
    words = ": its placeholders stand for more than 65536 characters"
    assert words in fault_of(written(tmp_path, document))


def test_what_is_listed_and_not_there_is_named(tmp_path: Path) -> None:
    """With the place in the list, and where it was looked for."""
    path = written(tmp_path, {"benchmarks": ["gone.json"]}, "list.json")
    assert fault_of(path) == f"{path}: $.benchmarks[0]: {tmp_path}/gone.json: no such file"
    assert fault_of(tmp_path / "no.json") == f"{tmp_path}/no.json: No such file or directory"
    assert fault_of(tmp_path) == f"{tmp_path}: must be a file"
    path = written(tmp_path, {"benchmarks": ["x" * 300]}, "list.json")
    assert fault_of(path) == f"{path}: $.benchmarks[0]: File name too long"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "3", '{"model": 1, "model": 2}', '{"a": NaN}', '{"a": 1e999}', "[" * 100_000,
     '{"a": "\\ud800"}', '{"a": ' + "9" * 5000 + "}", '{"a":' * 60 + "1" + "}" * 60, "null",
     "\ufeff{}"],
)  # fmt: skip
def test_what_is_no_json_object_is_refused(text: str, tmp_path: Path) -> None:
    """In one line that names the file."""
    assert fault_of(written(tmp_path, text)).startswith(f"{tmp_path}/net.json")


def test_other_bytes_are_refused(tmp_path: Path) -> None:
    """What is not UTF-8, and what is too large."""
    path = tmp_path / "net.json"
    path.write_bytes(b'{"a": "\xff"}')
    assert "not UTF-8" in fault_of(path)
    path.write_bytes(b" " * 2_000_000)
    assert "larger than 1 MiB" in fault_of(path)


PLACES: list[tuple[str | int, ...]] = [
    *MISSING.values(), ("meta",), ("schema",), ("model", "files"), ("model", "files", "model"),
    ("model", "commands"), ("model", "meta"), ("model", "libraries"), ("model", "data_downloads"),
    ("model", "options"), ("tests", 0), ("tests", 0, "inputs", "data"), ("tests", 0, "commands"),
    ("tests", 0, "input_files"), ("tests", 0, "output_files"), ("tests", 0, "platform_args"),
    ("tests", 0, "arguments"), ("tests", 0, "meta"), ("benchmarks",), ("meta", "commands"),
]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8) | st.sampled_from(["{ID}", "{x}", "a.npy", "delay", "//a", "float"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.text(max_size=5) | st.sampled_from(["data", "filename", "shapes", "iter", "pytorch"]),
        inner, max_size=3,
    ),
    max_leaves=8,
)  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(PLACES), JSON), min_size=1, max_size=3))
@settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_whatever_stands_there_is_read_or_refused(
    tmp_path: Path, changes: list[tuple[tuple[str | int, ...], object]]
) -> None:
    """No traceback, and no second line, for any JSON at any place."""
    document: Any = spec(output_files={"out": "gold.npy"})
    document["meta"] = {}
    for steps, value in changes:
        with suppress(TypeError, KeyError, IndexError):
            changed(document, value, *steps)
    path = written(tmp_path, json.dumps(document))
    said, found = outcome_of(path)
    assert len(said) == (0 if found else 1)
    assert all(line.startswith(f"{tmp_path}/net.json: ") for line in said)
    json.dumps([each.to_mapping() for each in found], allow_nan=False)


def outcome_of(path: Path) -> tuple[list[str], tuple[Specification, ...]]:
    """Return the lines that a file is refused with, or its specifications."""
    try:
        return [], read_specifications(path)
    except UsageError as error:
        return str(error).splitlines(), ()

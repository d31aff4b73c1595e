"""`--batch`: calls of a network as with another batch, and never by a guess."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.__main__ import main
from opperf.calls.capturing.growth import BatchSteps, growth_of_calls, other_batches
from opperf.calls.format.faults import CallFaults
from opperf.calls.format.file import identity, parse_calls
from opperf.calls.reading.scaling import with_batch
from opperf.cli.common.exit_codes import FAILED
from opperf.core.errors import UsageError
from tests.calls import documents
from tests.calls.documents import MM
from tests.calls.test_capturing import captured

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from opperf.calls.format.model import CallsRecord

SCALED = {**MM, "per_example": [{"shape": [1, 0]}, None]}
"""The rows of the first operand are the batch."""


def counts(record: CallsRecord) -> dict[bytes, int]:
    """Return how often each distinct call is made."""
    return {identity(call): call.count for call in record.calls}


@pytest.mark.parametrize("batch", [1, 7, 64])
def test_a_network_is_as_if_captured_with_that_batch(batch: int) -> None:
    """Every call of it, forward and backward, with its strides and what its indices lie below."""
    pytest.importorskip("torch")
    scaled = with_batch(captured("toy"), batch, CallFaults(strict=True))
    again = captured("toy", batch=batch)
    assert scaled.batch == again.batch == batch
    assert counts(scaled) == counts(again)
    assert {place for call in scaled.calls for place in call.places} == {
        place for call in again.calls for place in call.places
    }


def test_what_does_not_grow_in_one_way_is_refused() -> None:
    """The others are scaled, and each that is not is named."""
    pytest.importorskip("torch")
    record = captured("uneven")
    unknown = [call.operator for call in record.calls if call.per_example is None]
    assert "aten.mm.default" in unknown
    known = [call.operator for call in record.calls if call.per_example]
    assert "aten.relu.default" in known
    faults = CallFaults()
    scaled = with_batch(record, 10, faults)
    assert faults.count == len(unknown)
    assert all("batch axis unknown" in line for line in faults.first)
    assert len(scaled.calls) == len(record.calls) - len(unknown)


def test_a_network_that_takes_no_batch_or_no_other_one_is_captured_all_the_same() -> None:
    """Of which nobody knows what the batch is."""
    pytest.importorskip("torch")
    for name in ("without_loss", "fixed", "deaf"):
        record = captured(name)
        assert all(call.per_example is None for call in record.calls)
    with pytest.raises(UsageError, match="--batch 2: batch axis unknown of each call; opperf pro"):
        with_batch(captured("fixed"), 2, CallFaults())
    with pytest.raises(UsageError, match="--batch 2: the file does not say its own batch; opperf"):
        with_batch(captured("without_loss"), 2, CallFaults())


def calls(*arguments: Any) -> list[dict[str, Any]]:
    """Return one call of these arguments."""
    return [{"operator": "op", "arguments": [{"name": None, "value": one} for one in arguments]}]


def tensor(*shape: int, **fields: Any) -> dict[str, Any]:
    """Return a tensor."""
    return {"type": "tensor", "shape": [*shape], "dtype": "float32", **fields}


def grown(*values: Any, batches: Sequence[int] = (8, 2, 3)) -> Any:
    """Return how an argument that has these values grows, "unknown" if nobody knows."""
    steps = [
        BatchSteps(batch, calls(value), [0]) for batch, value in zip(batches, values, strict=True)
    ]
    (found,) = growth_of_calls(steps)
    return "unknown" if found is None else found


@pytest.mark.parametrize(
    ("values", "growth"),
    [
        ((8, 2, 3), [1]),
        ((48, 12, 18), [6]),
        ((9, 3, 4), [1]),
        ((4, 4, 4), []),
        ((64, 4, 9), "unknown"),
        ((4, 1, 1), "unknown"),
        ((True, True, True), []),
        ((True, False, True), "unknown"),
        ((0.125, 0.5, 0.25), []),
        ((8, 2.0, 3), "unknown"),
        (("mean", "mean", "mean"), []),
        (([8, -1], [2, -1], [3, -1]), [[1, None]]),
        (([8], [2], [3, 1]), "unknown"),
        ((tensor(8, 4), tensor(2, 4), tensor(3, 4)), [{"shape": [1, 0]}]),
        ((tensor(8, 8), tensor(2, 8), tensor(3, 8)), [{"shape": [1, 0]}]),
        ((tensor(4), tensor(4), tensor(4)), []),
        ((tensor(8), tensor(2), tensor(3, dtype="int64")), "unknown"),
        ((tensor(8), tensor(2), tensor(3, 1)), "unknown"),
        (
            tuple(tensor(4, n, strides=[1, 4 * n]) for n in (8, 2, 3)),
            [{"shape": [0, 1], "strides": [0, 4]}],
        ),
        ((tensor(1, 4, strides=[1, 4]), tensor(2, 4, strides=[1, 4]), tensor(3, 4)), "unknown"),
        (
            tuple(tensor(6, values={"kind": "indices", "below": n}) for n in (8, 2, 3)),
            [{"shape": [0], "below": 1}],
        ),
        (([tensor(8), None], [tensor(2), None], [tensor(3), None]), [[{"shape": [1]}, None]]),
    ],
)
def test_only_what_grows_by_as_much_each_time_is_known(values: Any, growth: Any) -> None:
    """A third batch holds what two have shown; a hidden size that equals the batch is none."""
    assert grown(*values) == growth


def test_calls_are_matched_by_when_they_come() -> None:
    """One that is two calls with another batch has no growth, unless both grow alike."""
    square, line = calls(tensor(8, 8)), calls(tensor(2, 8)) + calls(tensor(8, 2))
    other = calls(tensor(3, 8)) + calls(tensor(8, 3))
    steps = [BatchSteps(8, square, [0, 0]), BatchSteps(2, line, [0, 1])]
    assert growth_of_calls([*steps, BatchSteps(3, other, [0, 1])]) == [None]
    assert growth_of_calls([*steps, BatchSteps(3, other, [0])]) == [None]
    renamed = [{**line[0], "operator": "other"}]
    assert growth_of_calls([BatchSteps(8, square, [0]), BatchSteps(2, renamed, [0])]) == [None]
    assert {other_batches(batch) for batch in (1, 2, 3, 8)} == {(2, 3), (3, 4), (2, 4)}


@pytest.mark.parametrize(
    ("per_example", "reason"),
    [
        ([1, None], "per_example is not as its arguments are"),
        ([{"shape": [1]}, None], "per_example is not as its arguments are"),
        ([[None], None], "per_example is not as its arguments are"),
        ([{"shape": [2**62, 0]}, None], "with this batch"),
        ([{"shape": [0, 0], "strides": [1]}, None], "per_example is not as its arguments are"),
    ],
)
def test_growth_that_contradicts_its_call_is_named(per_example: Any, reason: str) -> None:
    """The call is left out."""
    faults = CallFaults()
    record = parse_calls(documents.data(SCALED, {**MM, "operator": "aten.mm", "per_example": []}))
    with_batch(record, 16, CallFaults(strict=True))
    wrong = {**MM, "operator": "aten.mm.out", "per_example": per_example}
    scaled = with_batch(parse_calls(documents.data(SCALED, wrong)), 16, faults)
    assert [call.operator for call in scaled.calls] == ["aten.mm.default"]
    assert faults.first[0].startswith("call 2 (aten.mm.out): ")
    assert reason in faults.first[0]
    with pytest.raises(UsageError, match="has an entry an argument"):
        parse_calls(documents.data({**MM, "per_example": [None]}))


def test_an_integer_stays_one_of_64_bits() -> None:
    """Beyond them the call is left out."""
    faults = CallFaults()
    view = {"operator": "aten.view", "arguments": [{"value": 8}], "count": 1, "per_example": [1]}
    large = {**view, "operator": "aten.large", "per_example": [2**62]}
    scaled = with_batch(parse_calls(documents.data(view, large)), 16, faults)
    assert [call.arguments[0].value for call in scaled.calls] == [16]
    assert "an integer of" in faults.first[0]


def test_calls_that_become_the_same_are_one() -> None:
    """With the sum of their counts."""
    shape = {"type": "tensor", "shape": [16, 16], "dtype": "float32"}
    fixed = {
        **MM,
        "arguments": [{"name": "self", "value": shape}, MM["arguments"][1]],
        "per_example": [],
        "count": 1,
    }
    record = parse_calls(documents.data(SCALED, fixed))
    (call,) = with_batch(record, 16, CallFaults(strict=True)).calls
    assert call.count == 13
    assert sum(place.count for place in call.places) == 24
    assert with_batch(record, 8, CallFaults()) is record


def test_a_run_measures_another_batch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is left out sets the exit code, and the step's own time is no longer the network's."""
    pytest.importorskip("torch")
    file = tmp_path / "toy.calls.json"
    relu = {"operator": "aten.relu.default", "arguments": [MM["arguments"][0]], "count": 1}
    file.write_bytes(documents.data(SCALED, relu))
    flags = ["--calls", str(file), "--check-only", "--format", "json", "--quiet"]
    place = ["--runs-dir", str(tmp_path / "runs")]
    assert main(["run", *flags, *place, "--batch", "2"]) == FAILED
    shown = capsys.readouterr()
    assert [row["arguments"] for row in json.loads(shown.out)] == ["(2,16) (16,4)[1,16] float32"]
    assert "call 2 (aten.relu.default): batch axis unknown; opperf profile" in shown.err
    assert "the time of its step is not of batch 2, and left out" in shown.err
    main(["run", *flags, *place, "--batch", "1"])
    assert "with 1 example a network may make others" in capsys.readouterr().err
    assert main(["run", *flags, *place, "--batch", "0"]) == 2
    assert "--batch 0: must be at least 1" in capsys.readouterr().err
    assert main(["run", "--batch", "2", "Add"]) == 2
    assert "--batch is of a network's calls: give --calls FILE" in capsys.readouterr().err

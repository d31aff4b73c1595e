"""Log lines: ours and those of the older suite, written, read back and imported."""

from __future__ import annotations

import json
import math
import re
import string
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opperf.core.errors import UsageError
from opperf.networks.log_lines import (
    LONGEST,
    MOST_FAULTS,
    MOST_KEYS,
    lines_of,
    read_log,
    success_lines,
    write_lines,
)
from opperf.storing.foreign.reading import read_foreign
from tests.records import result_of

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.core.results.result import Result

ORIGINAL = re.compile("[ \t]*__(.+?(?=__[ \t]*[=]))__[ \t]*=(.+)")
"""What the older suite's parser looks for in each line, of which each value is JSON."""
OLD = """\
[PyTorch benchmakrs] torch.version.__version__=0.4.1
__exp.framework__="pytorch"
__exp.model__= "resnet50"
__exp.phase__= "training"
\t__exp.device_type__ = "gpu"
__exp.effective_batch__=64
__exp.docker__= true
WARNING: __init__ was called, x=1
__results.start_time__= "2018-10-01:12:00:00:123"
__results.time__=250.0
__results.time_std__=1.5
__results.throughput__=256
__exp.model_title__="ResNet50"
__results.time_data__=[249.0, 251.0]
__results.end_time__=
"""


def network_of(**fields: Any) -> Result:
    """Return a network's record."""
    given: dict[str, Any] = {
        "result_id": "0" * 32, "started_at": "2026-11-23T16:00:00+00:00", "opperf_version": "1",
        "status": "ok", "inputs": (), "series_key": "0" * 16, "definition_key": "0" * 16,
        "operator": {
            "name": "alexnet", "category": "network", "framework": "pytorch", "size": None,
            "direction": "forward", "fused": None, "device": "cpu",
        },
        "attributes": {
            "of": "training step", "title": "AlexNet", "batch": 8, "devices": 2,
            "effective_batch": 16, "dtype": "float32",
        },
        "samples": {"seconds": (0.1, 0.3)}, "summary": {"median": 0.2},
    }  # fmt: skip
    return result_of(**given, **fields) if not fields else result_of(**{**given, **fields})


def original_values(lines: list[str]) -> dict[str, Any]:
    """Return what the older suite's parser makes of lines."""
    found = {}
    for line in lines:
        match = ORIGINAL.match(line)
        assert match is not None
        found[match[1].strip()] = json.loads(match[2].strip())
    return found


def test_a_record_becomes_lines_that_both_parsers_read() -> None:
    """Times in milliseconds; the throughput is of all devices and of the mean."""
    lines = lines_of(network_of())
    values = read_log(lines).values
    assert original_values(lines) == values
    assert values == {
        "exp.framework": "pytorch", "exp.model": "alexnet", "exp.phase": "training",
        "exp.device_type": "cpu", "exp.dtype": "float32", "exp.replica_batch": 8,
        "exp.effective_batch": 16, "exp.num_replicas": 2, "exp.model_title": "AlexNet",
        "results.time": pytest.approx(200), "results.time_std": pytest.approx(100),
        "results.throughput": pytest.approx(80), "results.time_data": [100.0, 300.0],
        "results.status": "ok",
    }  # fmt: skip
    assert '__exp.model_title__="AlexNet"' in lines
    log = read_log(lines)
    assert log.status == "ok"
    assert log.seconds == pytest.approx((0.1, 0.3))


@pytest.mark.parametrize("status", ["failed", "crashed", "wrong_result", "out_of_memory"])
def test_a_failed_run_says_so(status: str) -> None:
    """With its reason, and without a time, even where one was taken."""
    log = read_log(lines_of(network_of(status=status, reason="the loss is nan")))
    assert log.values["results.status"] == "failure"
    assert log.values["results.status_msg"] == "the loss is nan"
    assert log.status == "failure"
    assert [key for key in log.values if "time" in key] == []


def test_a_slow_network_has_a_throughput() -> None:
    """A whole number would be 0, which older tools take for a failure."""
    values = original_values(success_lines([4.0], 1, "Slow"))
    assert values["results.throughput"] == pytest.approx(0.25)


def test_an_old_log_is_read() -> None:
    """With blanks before and behind, and lines between that are none."""
    log = read_log(OLD.splitlines(keepends=True))
    assert log.faults == []
    assert log.values["exp.model"] == "resnet50"
    assert log.values["exp.docker"] is True
    assert log.values["results.end_time"] is None
    assert log.seconds == (0.249, 0.251)
    assert log.status == "ok"
    assert len(log.values) == 13


def test_the_last_value_counts() -> None:
    """As in the older suite."""
    assert read_log(["__a__=1", "__a__=2"]).values == {"a": 2}


def test_hostile_lines_are_told_and_bounded() -> None:
    """None of them takes long, and none fills the memory."""
    lines = [
        "__a__=[" + "[" * 100_000, "__b__=NaN", "__c__={1}", "__d__=" + "9" * 5000, "____=1",
        "__" * 100_000 + "=1", "__x" + " " * 100_000, "_" * 200_000, "__\x1b[2J__=1",
        "__e__=" + " " * LONGEST + "1", "__" + "k" * 201 + "__=1", "__sound__=1",
    ]  # fmt: skip
    log = read_log(lines)
    assert log.values == {"sound": 1}
    told = [fault.partition(":")[0] for fault in log.faults]
    assert told == ["line 1", "line 2", "line 3", "line 4", "line 9", "line 10"]
    assert all(fault.isprintable() and len(fault) < 300 for fault in log.faults)
    many = read_log(f"__k{n}__={n}" for n in range(MOST_KEYS + 100))
    assert len(many.values) == MOST_KEYS
    assert len(many.faults) == MOST_FAULTS


@pytest.mark.parametrize("seconds", [[], [0.0], [-1.0], [math.nan], [math.inf]])
def test_no_lines_are_written_of_no_time(seconds: list[float]) -> None:
    """A log that nobody could read back is worse than none."""
    with pytest.raises(UsageError, match="above zero"):
        success_lines(seconds, 1, "x")


@pytest.mark.parametrize("key", ["", " a", "a=b", "a\nb", "a\x1bb", "k" * 201])
def test_no_line_has_a_key_that_cannot_be_read(key: str) -> None:
    """It would be passed over."""
    with pytest.raises(UsageError, match="no key of a log line"):
        write_lines({key: 1})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)  # fmt: skip
keys = st.text(string.ascii_lowercase + string.digits + "._", min_size=1, max_size=30).filter(
    lambda key: not key.startswith("_") and not key.endswith("_") and "__" not in key
)


@settings(deadline=None, max_examples=100)
@given(st.dictionaries(keys, json_values, max_size=5), st.lists(st.text(max_size=30), max_size=3))
def test_values_round_trip_by_either_expression(values: dict[str, Any], noise: list[str]) -> None:
    """Whatever stands between the lines, so long as it is none."""
    lines = write_lines(values)
    others = [line for line in noise if "__" not in line]
    assert read_log([*others, *lines, *others]).values == values
    assert original_values(lines) == values


@settings(deadline=None, max_examples=100)
@given(st.lists(st.text('_= \t"{}[]\\a1.\n\0é', max_size=40), max_size=8))
def test_any_lines_are_values_or_told(lines: list[str]) -> None:
    """Nothing else is raised, and where both parsers find a key of one line, it is the same."""
    log = read_log(lines)
    json.dumps(log.values)
    assert all(fault.isprintable() for fault in log.faults)
    assert log.status in {"ok", "failure"}


def test_an_old_log_is_imported_as_a_network(tmp_path: Path) -> None:
    """With its times, its framework and its batch."""
    path = tmp_path / "old.log"
    path.write_text(OLD)
    [result] = read_foreign(path, 1_780_000_000_000, "unknown")
    assert result.subject is not None
    assert (result.subject.kind, result.subject.name) == ("network", "resnet50")
    assert (result.operator.framework, result.operator.device) == ("pytorch", "cuda:0")
    assert result.seconds == pytest.approx(0.25)
    assert result.attributes == {"of": "training step", "effective_batch": 64}
    assert result.tags == ("dlbs",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing here", "no line of it is a log line"),
        ('__results.status__="failure"\n__results.status_msg__="no memory"', "failed: 'no memory'"),
        ('__exp.model__="a"\n__results.time_data__=[', "failed: .*not JSON"),
        ('__exp.model__="a"', "failed: 'it has no time'"),
        ("__results.time__=1", "exp.model is missing"),
        ("__exp.model__=3\n__results.time__=1", "exp.model: 3 is no text"),
        ('__exp.model__="a"\n__results.time__=-1', "-1 is no time in milliseconds above zero"),
        ('__exp.model__="a"\n__results.time__=true', "True is no time"),
        ('__exp.model__="a"\n__results.time_data__=5', "must be a list of milliseconds, not 5"),
        ('__exp.model__="a"\n__results.time_data__=[1, null]', "None is no time"),
        ('__exp.model__="a"\n__results.time__=1e-320', "no time above zero"),
    ],
)
def test_a_log_without_a_time_is_refused(text: str, said: str, tmp_path: Path) -> None:
    """In one line that names the file."""
    path = tmp_path / "bad.log"
    path.write_text(text)
    with pytest.raises(UsageError, match=rf"bad\.log: .*{said}") as caught:
        read_foreign(path, 1_780_000_000_000, "unknown")
    assert str(caught.value).isprintable()

"""Profiling windows: what they may be, and what the traces of real profilers hold."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli.command import command
from opperf.core.errors import UsageError
from opperf.methods.windows import parse_windows
from tests.conftest import told

if TYPE_CHECKING:
    from collections.abc import Callable

TORCH = """
import time
from threading import Semaphore

import torch

from opperf.methods import tracers
from opperf.methods.benchmark import Benchmark

ONE = torch.ones(8, 8)
STEPS, DONE = Semaphore(0), Semaphore(0)


class Waiting(tracers.TorchTracer):
    # Starts and stops between two of the method's operators, whatever the machine's speed.

    def start(self):
        STEPS.acquire()
        super().start()
        DONE.release()

    def stop(self, path, *, last):
        if not last:
            STEPS.acquire()
        super().stop(path, last=last)
        DONE.release()


class Steps(Benchmark):
    def whole(self):
        torch.exp(ONE)
        self.report_benchmark(iters=1, wall_time=1.0)


class Stepped(Benchmark):
    def __init__(self, **arguments):
        super().__init__(**arguments)
        tracers.TRACERS["pytorch"] = Waiting
        print("made", time.time())

    def windows(self):
        for operator in (torch.exp, torch.tanh, torch.sin):
            operator(ONE)
            STEPS.release()
            DONE.acquire()
        torch.cos(ONE)
        self.report_benchmark(iters=1, wall_time=1.0)
"""
MXNET = """
from opperf.mxnet_benchmarks.alias import numpy_bool

with numpy_bool():
    import mxnet as mx

from opperf.methods.benchmark import Benchmark


class Steps(Benchmark):
    def whole(self):
        mx.nd.cos(mx.nd.ones((8, 8)))  # which nobody waits for
        self.report_benchmark(iters=1, wall_time=1.0)
"""
LATE = """
from threading import Event

from opperf.methods import tracers
from opperf.methods.benchmark import Benchmark
from opperf.mxnet_benchmarks.alias import numpy_bool

TRIED = Event()


class Telling(tracers.MXNetTracer):
    def start(self):
        super().start()
        TRIED.set()


class Broken(tracers.MXNetTracer):
    def __init__(self, module, folder):
        TRIED.set()
        raise RuntimeError("no profiler here")


class Steps(Benchmark):
    def imports(self, tracer=Telling):
        tracers.TRACERS["mxnet"] = tracer
        with numpy_bool():
            import mxnet as mx
        TRIED.wait()
        mx.nd.tanh(mx.nd.ones((8, 8)))
        self.report_benchmark(iters=1, wall_time=1.0)

    def fails(self):
        self.imports(Broken)

    def nothing(self):
        self.report_benchmark(iters=1, wall_time=1.0)
"""
Traced = tuple[list[dict[str, Any]], list[set[str]], "Path"]
"""The facts of each trace, the operators in each that is there, and the method's folder."""


@pytest.fixture
def traced(method: Callable[..., Any], folder: Path) -> Callable[[str, str], Traced]:
    """Return what runs a method with windows."""
    for name, text in (("ptorch", TORCH), ("pmxnet", MXNET), ("plate", LATE)):
        (folder / f"{name}.py").write_text(text)

    def run(name: str, windows: str) -> Traced:
        code, found, err, (result,) = method(name, f"--profiler_enabled_time={windows}")
        assert code == 0, err
        assert result.attributes == {"profiler_enabled_time": windows}
        facts = found[name]["benchmark_info"]["profiler_data"]
        (place,) = folder.glob("runs/*/output/*")
        files = [fact["file"] for fact in facts if fact["file"]]
        assert {*files} == {str(path) for path in place.glob("profiler_data/*")}
        return facts, [operators(path) for path in files], place

    return run


def operators(path: str) -> set[str]:
    """Return the operators in a trace, which is one that viewers read."""
    trace = json.loads(Path(path).read_bytes())
    assert path.endswith(".pt.trace.json")
    assert {"schemaVersion", "traceEvents"} <= {*trace}
    own = [event for event in trace["traceEvents"] if event.get("cat") == "cpu_op"]
    assert all(event["ph"] == "X" and event["dur"] >= 0 for event in own)
    assert all(event["tid"] < 2**53 > event["pid"] for event in own)
    return {event["name"].removeprefix("aten::") for event in own}


@pytest.mark.parametrize(("name", "ran"), [("ptorch", "exp"), ("pmxnet", "cos")])
def test_a_window_from_0_on_has_the_whole_method(traced: Any, name: str, ran: str) -> None:
    """From its first operator to what its end does not wait for."""
    (fact,), (found,), _ = traced(f"{name}.Steps.whole", "0:")
    framework = {"ptorch": "pytorch", "pmxnet": "mxnet"}[name]
    assert (fact["window"], fact["framework"], fact["reason"]) == ("0:", framework, None)
    assert ran in found


def test_only_what_runs_within_a_window_is_in_its_trace(traced: Any) -> None:
    """Two of them, with an operator before, in, between and in the second."""
    facts, (first, second), place = traced("ptorch.Stepped.windows", "0.01:0.02,0.03:")
    assert [fact["window"] for fact in facts] == ["0.01:0.02", "0.03:"]
    own = {"exp", "tanh", "sin", "cos"}
    assert (first & own, second & own) == ({"tanh"}, {"cos"})
    made = float((place / "perfzero.log").read_text().partition("made ")[2].split()[0])
    trace = json.loads(Path(facts[0]["file"]).read_bytes())
    base = trace["baseTimeNanoseconds"] / 1e9
    times = [base + event["ts"] / 1e6 for event in trace["traceEvents"] if "dur" in event]
    assert min(times) > made


def test_a_framework_that_a_method_imports_itself_is_recorded(traced: Any) -> None:
    """From then on, which the summary says."""
    (fact,), (found,), _ = traced("plate.Steps.imports", "0:")
    assert (fact["framework"], "s late" in fact["reason"]) == ("mxnet", True)
    assert "tanh" in found


@pytest.mark.parametrize(
    ("name", "windows", "said"),
    [
        ("nothing", "0:", "no framework with a profiler had been imported"),
        ("nothing", "3600:", "the method ended before it"),
        ("fails", "0:", "no profiler here"),
    ],
)
def test_without_a_trace_there_is_a_reason(traced: Any, name: str, windows: str, said: str) -> None:
    """And the method goes on as without a profiler."""
    facts, found, _ = traced(f"plate.Steps.{name}", windows)
    assert found == []
    assert any(said in fact["reason"] for fact in facts)


def test_windows_are_read_as_perfzero_has_them() -> None:
    """Several, in any order; without an end the method's own."""
    found = parse_windows(["40:", "10:20,20:30.5"])
    assert found == [(10, 20), (20, 30.5), (40, inf)]
    assert [str(window) for window in found] == ["10:20", "20:30.5", "40:"]
    assert parse_windows([]) == []


@pytest.mark.parametrize(
    "text", ["5:3", "5:5", "5", ":5", "", "a:b", "-1:2", "nan:", "1:nan", "inf:", "1e9:", "1:2:3"]
)
def test_what_is_no_window_is_one_line(
    text: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which names it, and what one is; nothing is imported."""
    flag = f"--profiler_enabled_time={text}"
    assert command(["method", "own.Fine.benchmark_report", flag], None) == 2
    err = capsys.readouterr().err
    assert f"'{text}': must be START:END in seconds" in err
    assert len(told(err)) == 1
    assert not (folder / "runs").exists()


def test_windows_that_overlap_or_are_too_many_are_refused() -> None:
    """Each has a trace of its own."""
    with pytest.raises(UsageError, match="1:3 and 2: overlap"):
        parse_windows(["2:,1:3"])
    with pytest.raises(UsageError, match="101 windows; at most 100"):
        parse_windows([",".join(f"{at}:{at + 1}" for at in range(101))])

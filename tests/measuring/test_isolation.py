"""``run_benchmark(isolate=True)``: one operator in a child of its own."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from opperf.core.errors import UsageError
from opperf.core.results.superseding import superseding
from opperf.core.timing.metric import Metric
from opperf.measuring.attachment import attach_memory, attached, get_ready
from opperf.nd import Exp
from opperf.planning.task import Task
from tests.records import changed

QUICK: dict[str, Any] = {"framework": "numpy", "size": "small", "runs": 6, "warmup": 0}
CRASH = """
from opperf.nd import Double, Segfault

crashed, = Segfault(framework="toy", size="small").run_benchmark(isolate=True)
print(crashed.status, crashed.signal)
print(*{result.status for result in Double(framework="toy", runs=6).run_benchmark(isolate=True)})
"""


def test_a_child_measures_as_this_process_does() -> None:
    """The same rows of the same things, from a process that was set up for it: another series."""
    isolated = Exp(**QUICK).run_benchmark(isolate=True)
    here = Exp(**QUICK).run_benchmark()
    kinds = [{r.operator.process for r in found} for found in (here, isolated)]
    assert kinds == [{"plain"}, {"laid_out"}]
    assert not {r.series_key for r in isolated} & {r.series_key for r in here}
    assert [r.definition_key for r in isolated] == [r.definition_key for r in here]
    assert isolated[0].status in ("ok", "noisy")


def test_a_crash_does_not_take_its_caller_along(toy: Any) -> None:
    """It is a result, and the next operator is measured in a fresh child."""
    run = toy.execute([sys.executable, "-c", CRASH])
    assert run.returncode == 0, run.stderr
    first, rest = run.stdout.splitlines()
    assert first == "crashed SIGSEGV"
    assert set(rest.split()) <= {"ok", "noisy"}
    toy.wait_for(lambda: not toy.survivors())


def test_what_was_timed_is_weighed() -> None:
    """By a child of the memory pass: an inference keeps nothing for a backward."""
    found = Exp(**QUICK).run_benchmark(isolate=True)[0]
    assert found.memory.outputs == found.inputs[0].nbytes
    assert found.memory.saved == 0


def test_a_memory_pass_that_fails_costs_no_time(make: Any, python: Any) -> None:
    """The record lacks what it would have found; what was measured stays."""
    results = Exp(**QUICK).run_benchmark()
    dead = make(python=python("exit 3"))
    rows = tuple((None, found.operator.direction) for found in results)
    task = Task(operator="Exp", framework="numpy", size="small", rows=rows)
    assert attach_memory(results, task, dead) == [*results]
    assert dead.process is None


def test_the_memory_pass_is_ready_before_anything_is_timed(make: Any, python: Any) -> None:
    """It is waited for; one that dies instead is stopped, one never started let be."""
    task = Task(operator="Exp", framework="numpy", size="small", rows=(("only", "forward"),))
    worker = make().for_memory()
    get_ready(worker, task)
    assert worker.process is None
    worker.ensure()
    get_ready(worker, task)
    assert not worker.channel.buffer
    assert [event["event"] for event in worker.run(task)] == ["row", "metrics", "done"]
    worker.close()
    dead = make(python=python("""say '{"event": "loaded", "environment": {}}'; hear; exit 3"""))
    dead.ensure()
    get_ready(dead, task)
    assert dead.process is None


def test_what_has_no_time_is_not_weighed(make: Any) -> None:
    """No child is started for it."""
    results = [changed(found, status="crashed") for found in Exp(**QUICK).run_benchmark()]
    idle = make()
    task = Task(operator="Exp", framework="numpy", size="small", rows=(("only", "forward"),))
    assert attach_memory(results, task, idle) == results
    assert idle.process is None


def test_what_cannot_be_isolated_is_refused() -> None:
    """A function of the caller's own is not in a child; inputs that do not fit are not anywhere."""
    with pytest.raises(UsageError, match="a child knows initializers by name only"):
        Exp({"initializer": lambda *_: None}, **QUICK).run_benchmark(isolate=True)
    with pytest.raises(UsageError, match="the inputs need about"):
        Exp({"data": (2**24, 2**24)}, **QUICK).run_benchmark(isolate=True)


def test_what_a_fresh_probe_finds_has_its_place_in_the_record() -> None:
    """Bytes in `memory`, all else in `metrics`; bytes that are none cost nothing that was timed."""
    result = Exp(**QUICK).run_benchmark()[0]
    row = ("only", "forward")
    found = {
        "workspace": Metric(name="workspace", unit="B", value=64),
        "saved": Metric(name="saved", unit="B", value=None, reason="it cannot tell"),
        "pages": Metric(name="pages", unit="1", value=3.0),
    }
    made = attached(result, {row: found})
    assert (made.memory.workspace, made.memory.saved) == (64, result.memory.saved)
    assert made.memory.outputs == result.memory.outputs
    assert [metric.name for metric in made.metrics] == [
        *(metric.name for metric in result.metrics), "pages",
    ]  # fmt: skip
    half = {"workspace": Metric(name="workspace", unit="B", value=0.5)}
    assert attached(result, {row: half}) == result
    again = superseding(result, made)
    assert again.metrics == made.metrics

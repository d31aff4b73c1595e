"""The parent's handle, on children that really run."""

from __future__ import annotations

import json
import os
import signal
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.errors import WorkerError
from opperf.measuring.worker import channel
from opperf.measuring.worker.endings import Ended, Hung
from opperf.measuring.worker.handle import Limits
from opperf.planning.task import Task

LOADED = json.dumps({"event": "loaded", "environment": {}})
DONE = json.dumps({"event": "done", "idle": 0, "changed": []})
FACTS = (
    "machine_key", "cpu", "cores", "gpu", "driver", "os", "python", "packages", "build", "threads",
    "affinity", "governor", "env_vars", "framework", "framework_version", "load_average", "clock",
)  # fmt: skip
EXP = Task(
    operator="Exp",
    framework="numpy",
    size="small",
    rows=(("only", "forward"),),
    settings=Settings(runs=6, warmup=0),
)


def test_a_child_says_where_it_measures(make: Any) -> None:
    """Before its first task: every fact that records carry, collected in its own process."""
    worker = make()
    worker.ensure()
    assert set(FACTS) <= set(worker.environment)
    assert worker.environment["framework"] == "numpy"
    affinity = worker.environment["affinity"]
    assert len(affinity) == 1, "one thread has one core"
    assert set(affinity) <= os.sched_getaffinity(0)
    assert worker.environment["env_vars"]["KMP_BLOCKTIME"] == "0"


def test_events_of_a_task(make: Any) -> None:
    """Each row is announced, then answered; in the end the child is ready for the next task."""
    worker = make()
    worker.ensure()
    process = worker.process
    for _ in range(2):
        events = list(worker.run(replace(EXP, rows=(("only", "forward"), ("only", "forward")))))
        assert [event["event"] for event in events] == ["row", "result"] * 2 + ["done"]
        assert events[0] == {"event": "row", "row": 0, "compiles": False}
        assert events[-1]["changed"] == []
        assert events[1]["result"]["status"] in ("ok", "noisy")
    worker.ensure()
    assert worker.process is process, "a child that is well is kept"


def test_inputs_that_cannot_fit_are_refused_by_the_child_too(make: Any) -> None:
    """And it lives on."""
    worker = make()
    worker.ensure()
    huge = replace(EXP, inputs={"data": (2**24, 2**24)})
    refused, done = worker.run(huge)
    assert refused["event"] == "refused"
    assert "bytes" in refused["reason"]
    assert done["event"] == "done"
    assert [event["event"] for event in worker.run(EXP)][-1] == "done"


def test_memory_is_limited(make: Any) -> None:
    """What goes beyond is an error inside the framework, not a kill."""
    worker = make(Limits(memory=150_000_000))
    worker.ensure()
    events = list(worker.run(replace(EXP, size="large")))
    (result,) = [event["result"] for event in events if event["event"] == "result"]
    assert result["status"] == "out_of_memory"
    assert "Unable to allocate" in result["reason"]


def test_modules_where_it_starts_shadow_none(
    make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user's folder may hold a file of the name of any module."""
    for name in ("json", "numpy", "opperf"):
        tmp_path.joinpath(f"{name}.py").write_text("raise SystemExit('shadowed')\n")
    monkeypatch.chdir(tmp_path)
    make().ensure()


def test_children_have_their_own_session(make: Any) -> None:
    """Ctrl-C in the terminal reaches the parent alone, which then decides."""
    worker = make()
    worker.ensure()
    assert os.getsid(worker.process.pid) == worker.process.pid
    worker.process.send_signal(signal.SIGKILL)
    with pytest.raises(Ended, match="ended with status -9") as caught:
        list(worker.run(EXP))
    assert caught.value.status == -signal.SIGKILL


def test_a_child_that_died_while_it_waited_is_replaced(make: Any) -> None:
    """As when the system was out of memory: the next operator is not to blame."""
    worker = make()
    worker.ensure()
    first = worker.process
    first.kill()
    first.wait(120)
    worker.ensure()
    assert worker.process is not first
    assert [event["event"] for event in worker.run(EXP)][-1] == "done"


def test_a_stopped_child_leaves_nothing(make: Any, await_end: Any) -> None:
    """Neither a process nor an open descriptor, however often it is stopped."""
    make().ensure()  # whatever the first child opens once and for all
    descriptors = Path("/proc/self/fd")
    before = len(list(descriptors.iterdir()))
    worker = make()
    for _ in range(2):
        worker.ensure()
        group = [p for p in psutil.process_iter() if in_group(p, worker.process.pid)]
        worker.stop()
        worker.stop()
        assert group
        assert await_end(group)
    worker.close()
    assert len(list(descriptors.iterdir())) == before


def in_group(process: psutil.Process, group: int) -> bool:
    """Return whether a process belongs to a group."""
    try:
        return os.getpgid(process.pid) == group
    except ProcessLookupError:
        return False


def test_what_was_prefetched_is_announced_before_it_is_due(make: Any) -> None:
    """A child says so at once; the parent reads it when it runs the task."""
    worker = make()
    worker.ensure()
    worker.prefetch(EXP)
    events = list(worker.run(EXP))
    assert [event["event"] for event in events] == ["prefetched", "row", "result", "done"]
    assert not events[0]["compiles"]


def test_a_framework_may_load_longer_than_an_operator_may_take(make: Any) -> None:
    """A time-out of a millisecond ends rows, not the loading of a framework."""
    worker = make(Limits(timeout=0.001))
    worker.ensure()
    with pytest.raises(Hung, match=r"no answer within 0\.001 s"):
        list(worker.run(replace(EXP, size="large")))


@pytest.mark.parametrize("event", ["row", "prefetched"])
def test_what_compiles_has_more_time(make: Any, python: Any, event: str) -> None:
    """The time for compiling comes on top of the time for a row, or for getting ready for one."""
    fields = {"event": event, "compiles": True} | ({"row": 0} if event == "row" else {})
    for timeout in (0.2, 2.0, 20.0):  # until it announces the row in time
        row = f"""say '{json.dumps(fields)}'; sleep {2.5 * timeout}; say '{DONE}'"""
        script = f"""say '{LOADED}'\nhear\n{row}\nsleep 60"""
        worker = make(Limits(timeout=timeout, compile_timeout=120), python=python(script))
        worker.ensure()
        events: list[str] = []
        with suppress(Hung):
            events.extend(found["event"] for found in worker.run(EXP))
        if events:
            break
    assert events == [event, "done"]
    short = make(Limits(timeout=timeout, compile_timeout=timeout / 2), python=python(script))
    short.ensure()
    with pytest.raises(Hung):
        list(short.run(EXP))


def test_an_endless_line_is_not_read_for_ever(
    make: Any, python: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child that writes into the wrong pipe cannot fill the parent's memory."""
    monkeypatch.setattr(channel, "MOST_REPLY", 10_000)
    worker = make(python=python("cat /dev/zero >&$replies"))
    worker.start()
    with pytest.raises(WorkerError, match="sent too long a line"):
        worker.receive(120)

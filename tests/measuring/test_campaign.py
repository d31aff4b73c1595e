"""Campaigns: plans carried out in children that really run."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError
from opperf.measuring import isolation
from opperf.measuring.campaign import Campaign, Labels
from opperf.measuring.worker.handle import Limits, Worker
from opperf.planning.plan import make_plan
from opperf.planning.selection import Selection
from opperf.planning.task import Task

SETTINGS = Settings(runs=6, warmup=0)
LABELS = Labels(run_id="20261121T031502-7f3a9c", command="opperf run", tags=("a", "b"), session=3)


def task(operator: str, framework: str = "numpy", **options: Any) -> Task:
    """Return a task of one row."""
    fields: dict[str, Any] = {"rows": (("only", "forward"),), "settings": SETTINGS, "size": "small"}
    return Task(operator=operator, framework=framework, **(fields | options))


def pid(campaign: Campaign) -> int:
    """Return the process that measures NumPy now, or 0."""
    process = campaign.workers["numpy", "cpu", 1].process
    return process.pid if process else 0


def test_results_carry_the_labels_of_their_run() -> None:
    """Run, command, tags and session, whatever became of the row."""
    with Campaign([task("Exp")], labels=LABELS).children() as campaign:
        results = [*campaign.measure(task("Exp")), *campaign.measure(task("Exp", rows=()))]
    (result,) = results
    assert (result.run_id, result.command) == (LABELS.run_id, "opperf run")
    assert (result.tags, result.session) == (("a", "b"), 3)
    assert result.status in ("ok", "noisy")
    assert result.environment["framework"] == "numpy"


def test_there_is_a_child_a_framework() -> None:
    """However many tasks it has; it says which version it found, and is gone in the end."""
    tasks = make_plan(Selection(text="name in (Exp, Sum)", frameworks=("numpy",)))
    campaign = Campaign(tasks)
    with campaign.children():
        assert list(campaign.workers) == [("numpy", "cpu", 1)]
        before = pid(campaign)
        assert [*campaign.packages()] == ["numpy"]
        assert campaign.packages()["numpy"].count(".") == 2
        campaign.measure(tasks[0])
        campaign.measure(tasks[1])
        assert pid(campaign) == before
    assert pid(campaign) == 0
    with pytest.raises(ProcessLookupError):
        os.kill(before, 0)


def test_what_comes_next_is_drawn_meanwhile() -> None:
    """Whether it then comes or not, and whatever comes of it, each task has its own results."""
    first, second, refused = task("Exp"), task("Sum"), task("Exp", inputs={"dtype": "int32"})
    with Campaign([first]).children() as campaign:
        (one,) = campaign.measure(first, second)
        (other,) = campaign.measure(second, refused)
        (unsupported,) = campaign.measure(refused, second)
        (again,) = campaign.measure(first)
    assert [one.operator.name, other.operator.name] == ["Exp", "Sum"]
    assert {one.status, other.status, again.status} <= {"ok", "noisy"}
    assert (unsupported.status, again.series_key) == ("unsupported", one.series_key)


def test_what_comes_next_is_drawn_in_no_dead_child() -> None:
    """After trouble the next task starts a fresh one, which draws for itself."""
    with Campaign([task("Exp")], Limits(timeout=0.001)).children() as campaign:
        (hung,) = campaign.measure(task("Dot", size="large"), task("Exp"))
        assert (hung.status, pid(campaign)) == ("timeout", 0)
        campaign.workers["numpy", "cpu", 1].limits = Limits()
        (fine,) = campaign.measure(task("Exp"))
        assert fine.status in ("ok", "noisy")


def test_a_child_whose_heap_is_worn_out_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies idle in it would be missing to the next operator; results are kept."""
    with Campaign([task("Exp")], Limits(memory=2**31)).children() as campaign:
        before = pid(campaign)
        (kept,) = campaign.measure(task("Exp"))
        assert pid(campaign) == before
        with monkeypatch.context() as patch:
            patch.setattr(isolation, "WORN_PART", 2**31)
            (result,) = campaign.measure(task("Exp"), task("Sum"))
        assert {kept.status, result.status} <= {"ok", "noisy"}
        assert pid(campaign) == 0
        (fine,) = campaign.measure(task("Sum"))
        assert fine.status in ("ok", "noisy")
        assert pid(campaign) not in (0, before)


@pytest.mark.parametrize("check_only", [False, True])
def test_the_memory_pass_is_ready_where_times_are_taken(check_only: bool) -> None:
    """Its child starts with the others: later it would load beside something that is timed."""
    with Campaign([task("Exp", check_only=check_only)]).children() as campaign:
        process = campaign.memory_workers["numpy", "cpu", 1].process
        assert (process is None) == check_only


def test_a_memory_pass_that_does_not_start_costs_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is measured is told without it."""
    weighing = Worker.for_memory
    broken = "opperf.no_such_module"
    monkeypatch.setattr(Worker, "for_memory", lambda self: replace(weighing(self), module=broken))
    with Campaign([task("Exp")]).children() as campaign:
        (result,) = campaign.measure(task("Exp"))
    assert result.status in ("ok", "noisy")
    assert result.memory.saved is None


def test_the_memory_pass_runs_wherever_there_is_room() -> None:
    """It times nothing, so that it need not wait for the core on which the next one is drawn."""
    with Campaign([task("Exp")]).children() as campaign:
        campaign.measure(task("Exp"))
        process = campaign.memory_workers["numpy", "cpu", 1].process
        assert process is not None
        assert os.sched_getaffinity(process.pid) == os.sched_getaffinity(0)


def test_a_child_is_replaced_after_trouble() -> None:
    """The next task gets a fresh one; after an unsupported row the old one serves on."""
    with Campaign([task("Exp")], Limits(timeout=0.001)).children() as campaign:
        before = pid(campaign)
        (result,) = campaign.measure(task("Exp", inputs={"dtype": "int32"}))
        assert result.status in ("unsupported", "timeout")
        campaign.limits = Limits()
        (hung,) = campaign.measure(task("Dot", size="large"))
        assert (hung.status, hung.samples) == ("timeout", None)
        assert pid(campaign) == 0
        campaign.workers["numpy", "cpu", 1].limits = Limits()
        (fine,) = campaign.measure(task("Exp"))
        assert fine.status in ("ok", "noisy")
        assert pid(campaign) not in (0, before)


def test_a_child_is_replaced_after_a_missing_instruction_set() -> None:
    """MXNet's oneDNN refuses bfloat16 below avx512_core, and a row that follows may hang or die."""
    lacking = task("Conv2D", framework="mxnet", inputs={"dtype": "bfloat16"}, check_only=True)
    with Campaign([lacking], variables={"DNNL_MAX_CPU_ISA": "AVX2"}).children() as campaign:
        (refused,) = campaign.measure(lacking)
        assert (refused.status, "needs avx512_core" in str(refused.reason)) == ("unsupported", True)
        assert campaign.workers["mxnet", "cpu", 1].process is None


def test_a_refused_task_does_not_end_the_run() -> None:
    """Memory that was free when the plan was made may be gone: that is a row, with the bytes."""
    huge = task("Exp", inputs={"data": (2**24, 2**24)})
    with Campaign([huge]).children() as campaign:
        (refused,) = campaign.measure(huge)
        (fine,) = campaign.measure(task("Exp"))
    assert refused.status == "failed"
    assert "the inputs need about" in str(refused.reason)
    assert refused.inputs[0].shape == (2**24, 2**24)
    assert fine.status in ("ok", "noisy")


def test_a_campaign_that_cannot_start_leaves_no_child() -> None:
    """Each device has a child of its own; one that lacks its device ends those that have theirs."""
    campaign = Campaign([task("Exp"), task("Exp", device="cuda:77"), task("Sum")])
    with pytest.raises(UsageError, match="unknown device 'cuda:77' for numpy"), campaign.children():
        pass
    assert list(campaign.workers) == [("numpy", "cpu", 1), ("numpy", "cuda:77", 1)]
    assert {worker.process for worker in campaign.workers.values()} == {None}


def test_variables_reach_the_child() -> None:
    """And its records, where they tune it."""
    campaign = Campaign([task("Exp")], variables={"OMP_SCHEDULE": "static"})
    with campaign.children():
        (result,) = campaign.measure(task("Exp"))
    assert result.environment["env_vars"]["OMP_SCHEDULE"] == "static"

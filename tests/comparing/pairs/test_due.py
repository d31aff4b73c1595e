"""What is due in a comparison: session after session from the records alone, while time is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.comparing.arms.arm import parse_arm
from opperf.comparing.campaign import CONFIRMING, Evidence, Rules
from opperf.comparing.pairs.campaign import ArmComparison, Budget
from opperf.comparing.pairs.job import jobs_of
from opperf.core.results.pair import Pair
from opperf.measuring.worker.handle import Limits
from opperf.planning.task import Task

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from opperf.comparing.pairs.job import Job

PLAN = {"iterations": 100, "short": 0, "call": 1e-6, "loop_overhead": 1e-9, "limit": 1000}
FIRST = 8


def comparison_in(folder: Path, **changes: Any) -> ArmComparison:
    """Return a comparison of two operators of which nothing is known yet."""
    rows = (("only", "forward"),)
    tasks = [
        Task(operator=name, framework="numpy", size="small", rows=rows) for name in ("Exp", "Sqrt")
    ]
    fields = {
        "run_id": "run",
        "jobs": jobs_of(tasks),
        "arms": {"a": parse_arm("A=1 ."), "b": parse_arm("B=1 .")},
        "limits": Limits(),
        "folder": folder,
        "evidence": Evidence(Rules(first=FIRST, most=12)),
    }
    return ArmComparison(**{**fields, **changes})


def found(job: Job, session: int, purpose: str, ratio: float) -> Pair:
    """Return the record of a job in a session."""
    return Pair(
        result_id=f"{session} {job.key}",
        run_id="run",
        session=session,
        purpose=purpose,
        started_at="2026-11-23T00:00:00.000+00:00",
        opperf_version="0",
        operator=job.operator,
        inputs=tuple(job.inputs),
        attributes=job.attributes,
        a_status="ok",
        b_status="ok",
        plan=PLAN,
        ratio=ratio,
        a_seconds=1e-6,
        b_seconds=1e-6,
    )


def test_a_plain_loop_ends_when_every_verdict_stands(tmp_path: Path) -> None:
    """Controls follow the comparisons step by step."""
    comparison = comparison_in(tmp_path)
    purposes: list[str] = []
    while due := comparison.due():
        session, jobs = due
        purposes.append(session.purpose)
        assert session.number == len(purposes)
        comparison.evidence.add(found(job, session.number, session.purpose, 0.0) for job in jobs)
    assert purposes == ["comparison", "control"] * FIRST


def test_what_is_slower_is_confirmed(tmp_path: Path) -> None:
    """Only that, in sessions of which B starts first."""
    comparison = comparison_in(tmp_path)
    slow, same = comparison.jobs
    for number in range(1, FIRST + 1):
        comparison.evidence.add(
            found(job, number, purpose, ratio)
            for job, purpose, ratio in [
                (slow, "comparison", 0.1),
                (same, "comparison", 0.0),
                (slow, "control", 0.0),
                (same, "control", 0.0),
            ]
        )
    sessions = 0
    while due := comparison.due():
        session, jobs = due
        assert (session.purpose, jobs) == ("confirmation", [slow])
        comparison.evidence.add([found(slow, session.number, "confirmation", 0.1)])
        sessions += 1
    assert sessions == CONFIRMING


def test_a_session_takes_blocks_as_earlier_ones_did(tmp_path: Path) -> None:
    """And what it settles by itself is its own: it reaches the next one by its records."""
    comparison = comparison_in(tmp_path)
    job = comparison.jobs[0]
    due = comparison.due()
    assert due is not None
    assert due[0].plans == {}
    due[0].plans[job.key] = {**PLAN, "iterations": 7}
    due[0].environments["a"] = {"cpu": "none"}
    comparison.evidence.add([found(job, 1, "comparison", 0.0)])
    again = comparison.due()
    assert again is not None
    assert again[0].plans == {job.key: PLAN}
    assert again[0].environments == {}


def test_both_arms_of_a_control_are_a(tmp_path: Path) -> None:
    """It finds out whether the machine tells two of the same apart."""
    comparison = comparison_in(tmp_path)
    arms = comparison.arms
    assert dict(comparison.session("comparison").arms) == dict(arms)
    assert dict(comparison.session("control").arms) == {"a": arms["a"], "b": arms["a"]}


def test_a_budget_counts_the_session_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which may take as long as the longest so far."""
    now = [100.0]
    monkeypatch.setattr("opperf.comparing.pairs.campaign.monotonic", lambda: now[0])
    budget, endless = Budget(10.0, began=now[0]), Budget(None, began=now[0])
    for seconds, is_spent in [(4.0, False), (1.0, False), (2.0, True)]:
        assert not budget.is_spent
        with budget.session(), endless.session():
            now[0] += seconds
        assert budget.is_spent == is_spent
    assert not endless.is_spent

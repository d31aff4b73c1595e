"""A job as an arm measures it: threads, element type, and compiled or not."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest

from opperf.comparing.arms.entry import parse_entry
from opperf.comparing.campaign import Rules
from opperf.comparing.pairs.job import jobs_of
from opperf.comparing.rounds.campaign import RoundComparison
from opperf.comparing.rounds.evidence import ArmsEvidence
from opperf.comparing.rounds.own_job import jobs_in, own_job
from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.registry import find_framework
from opperf.measuring.children.arm_subject import OperatorSubject
from opperf.measuring.worker.handle import Limits
from opperf.planning.task import Task

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.comparing.pairs.job import Job


def job_of(name: str, framework: str = "numpy") -> Job:
    """Return an operator's job."""
    rows = (("only", "forward"),)
    return jobs_of([Task(operator=name, framework=framework, size="small", rows=rows)])[0]


def test_threads_and_element_type_are_the_arms_own() -> None:
    """Of other elements the tensors are others; of other threads they are the same."""
    job = job_of("Exp")
    two, half = (own_job(job, parse_entry(text)) for text in ("a=threads=2", "a=dtype=float64"))
    assert two.task.place == ("numpy", "cpu", 2)
    assert two.inputs_key == job.inputs_key
    assert half.task.inputs["dtype"] == "float64"
    assert half.inputs_key != job.inputs_key
    assert own_job(two, parse_entry("a=threads=2")) is two
    assert own_job(job, parse_entry("a=.")) is job


def test_what_an_operator_is_not_declared_for_is_unsupported() -> None:
    """In an arm it is a status; where the reference is such an arm, the job is left out."""
    arm = parse_entry("a=dtype=int8")
    with pytest.raises(UnsupportedError, match="Exp is not declared for int8"):
        own_job(job_of("Exp"), arm)
    assert jobs_in([job_of("Exp"), job_of("Negative")], arm)[0].operator.name == "Negative"


def test_an_arm_has_its_own_process(tmp_path: Path) -> None:
    """Of its own threads; another one starts first each session, the reference last to confirm."""
    arms = {name: parse_entry(f"{name}={spec}") for name, spec in
            {"one": ".", "two": "threads=2", "three": "env.X=1"}.items()}  # fmt: skip
    job = job_of("Exp")
    comparison = RoundComparison(
        run_id="run", jobs=[job], arms=arms, limits=Limits(), folder=tmp_path,
        evidence=ArmsEvidence.of(Rules(), arms),
    )  # fmt: skip
    due = comparison.due()
    assert due is not None
    session, jobs = due
    assert (session.purpose, jobs, session.record_count(jobs)) == ("comparison", [job], 2)
    threads = [session.worker(arm, job.task.place, "m").threads for arm in arms.values()]
    assert threads == [1, 2, 1]
    orders = set()
    for session.number in range(1, 4):
        orders.add(tuple(session.starting_order()))
    assert {order[0] for order in orders} == {*arms}
    session.purpose = "confirmation"
    assert session.starting_order()[-1] == "one"


@pytest.mark.filterwarnings("ignore:.*is deprecated. Please switch to:DeprecationWarning")
def test_operators_are_compiled_and_checked(tmp_path: Path) -> None:
    """By torch.compile of the same callable; its outputs are compared with the reference."""
    pytest.importorskip("torch")
    job = job_of("Exp", "pytorch")
    path = tmp_path / "tensors.npz"
    job.draw(path, [])
    message = {"task": asdict(job.task), "arrays": str(path), "compile": True}
    subject = OperatorSubject.open(message, find_framework("pytorch"))
    assert subject.attempt.workload("only").implementation == "torch.compile + torch.exp"
    assert subject.fault(job.row) is None
    assert (
        find_framework("pytorch")
        .implementation(type(subject.attempt.operator), variant="only")
        .name
        == "torch.exp"
    )


def test_who_has_no_compiler_says_so(tmp_path: Path) -> None:
    """As a status of the row."""
    job = job_of("Exp")
    path = tmp_path / "tensors.npz"
    job.draw(path, [])
    message = {"task": asdict(job.task), "arrays": str(path), "compile": True}
    with pytest.raises(UnsupportedError, match="numpy has no compiler"):
        OperatorSubject.open(message, find_framework("numpy"))

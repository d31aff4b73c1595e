"""`opperf ab --calls` with real processes: an operator that one arm's PyTorch has slowed."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from opperf.calls.capturing.capturing import CaptureRequest, capture
from opperf.calls.capturing.source import Source
from opperf.calls.format.file import write_calls
from opperf.calls.measuring.plan import AS_CAPTURED
from opperf.comparing.arms.arm import parse_arm
from opperf.comparing.campaign import Evidence, Rules
from opperf.comparing.networks.jobs import network_jobs
from opperf.comparing.networks.rows import compared_networks
from opperf.comparing.pairs.session import Session
from opperf.comparing.signed_rank import FEWEST
from opperf.core.configuration.settings import Settings
from opperf.measuring.worker.handle import Limits
from opperf.planning.selection import Selection
from tests.conftest import ROOT, told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from subprocess import CompletedProcess

    from opperf.calls.format.model import CallsRecord
    from tests.conftest import CommandLine

pytest.importorskip("torch")

SOURCE = Source(kind="factory", name="tests.comparing.networks.toys:perceptron", mode="inference")
RELU = "aten.relu.default"
SLOWED = """\
import sys
from importlib.abc import MetaPathFinder
from importlib.util import find_spec

class Patching(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        found = find_spec(name)
        execute = found.loader.exec_module

        def exec_module(module):
            execute(module)
            import time

            def relu(data):
                time.sleep(0.02)
                return module.clamp_min(data, 0)

            # Beneath the dispatcher: whoever calls it, a network or one call alone.
            module.slowed = module.library.Library("aten", "IMPL")
            module.slowed.impl("relu", relu, "CPU")

        found.loader.exec_module = exec_module
        return found

sys.meta_path.insert(0, Patching())
"""


@pytest.fixture(scope="module")
def record() -> CallsRecord:
    """Return the calls of the network."""
    wanted = CaptureRequest(
        source=SOURCE, framework="pytorch", limits=Limits(), settings=Settings(), timed=False
    )
    return capture(wanted, lambda _line: None)


@pytest.fixture
def arm(tmp_path: Path) -> str:
    """Return an arm whose PyTorch takes 20 ms longer for a rectifier."""
    place = tmp_path / "slowed"
    place.mkdir()
    (place / "sitecustomize.py").write_text(SLOWED)
    return f"PYTHONPATH={place}{os.pathsep}{ROOT}"


def test_the_predicted_change_is_the_measured_one(
    record: CallsRecord, arm: str, tmp_path: Path
) -> None:
    """The slowed call is slower, no other one is, and its step changes as they predict."""
    selection = Selection(frameworks=("pytorch",), dtype=AS_CAPTURED)
    jobs = network_jobs(record, selection, [SOURCE])
    # What decides is far beyond what a busy machine can do to the others.
    evidence = Evidence(Rules(first=FEWEST, most=FEWEST, min_effect=0.5))
    plans: dict[str, dict[str, Any]] = {}
    for number in range(1, FEWEST + 1):
        session = Session(
            number=number, purpose="comparison", run_id="run",
            arms={"a": parse_arm(f"PYTHONPATH={ROOT}"), "b": parse_arm(arm)},
            limits=Limits(), folder=tmp_path, plans=plans,
        )  # fmt: skip
        evidence.add(session.measure(jobs.all))
    found = {job.operator.name: evidence.judgment(job.key) for job in jobs.all}
    assert found.pop(RELU).verdict == "slower"
    assert found.pop(SOURCE.name).verdict == "slower"
    assert not {judgment.verdict for judgment in found.values()} & {"slower", "faster", "fails"}
    (network,) = compared_networks(jobs, evidence)
    assert network.prediction.measured == {job.key for job in jobs.calls}
    assert network.prediction.agrees(0.1), network.agreement
    total, step = network.rows
    assert (total.verdict, step.verdict, step.agrees) == ("slower", "slower", True)
    assert step.interval
    assert step.interval[0] > 1.5
    assert "the measured step agrees" in (step.reason or "")


@pytest.fixture
def compare(opperf: CommandLine, record: CallsRecord) -> Iterator[Any]:
    """Return what compares the network's calls in one session."""
    write_calls(record, opperf.directory / "toy.calls.json")

    def run(*more: str, **arms: str) -> CompletedProcess[str]:
        named = [word for name in "ab" for word in (f"--{name}", arms.get(name, "."))]
        given = ("ab", "--calls", "toy.calls.json", *named, *more)
        once = ("--sessions", "1", "--most-sessions", "1", "--quiet")
        return opperf.run(*given, *once)

    yield run
    opperf.wait_for(lambda: not opperf.survivors())
    assert not [*opperf.directory.glob("opperf-ab-*")]


def test_rows_are_of_calls_their_network_and_what_they_predict(
    opperf: CommandLine, compare: Any
) -> None:
    """Stored, shown again, and not measured again by resume."""
    done = compare("--network", SOURCE.name, "--format", "json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    shown = [(row.get("kind"), row.get("count")) for row in rows if not row["control"]]
    assert shown.count(("call", 1)) >= 2
    assert shown.count(("network", None)) == 1
    assert shown.count(("prediction", None)) == 2
    assert [row["control"] for row in rows].count(True) == 1
    assert {row["reason"] for row in rows if row.get("kind") == "call"} == {
        "fewer than 6 sessions: there is no interval of 95 %"
    }
    assert all("agrees" not in row for row in rows)
    assert "calls of a step (100.0%) were measured in both arms" in done.stderr
    assert json.loads(opperf.run("show", "last", "--format", "json").stdout) == rows
    text = opperf.run("show", "last", COLUMNS="200").stdout
    assert "sum of operators" in text
    assert "too few sessions to hold it against the measured step" in text
    (journal,) = (opperf.directory / "runs").glob("*/results.jsonl")
    before = journal.read_bytes()
    again = opperf.run("resume", "last", "--quiet", "--format", "json")
    assert json.loads(again.stdout) == rows
    assert journal.read_bytes() == before


def test_a_call_that_no_arm_has_is_unsupported_and_the_others_are_compared(
    opperf: CommandLine, compare: Any
) -> None:
    """The sum says that it is not of all calls; nothing makes the network again unasked."""
    (opperf.directory / "toy.calls.json").write_text(
        "Operator: aten.nobody_has.default\ncnt: 3, ((T([2], f32),), {})\n"
        "Operator: aten.relu.default\ncnt: 5, ((T([64, 64], f32),), {})\n"
    )
    done = compare("--format", "json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    verdicts = {row["operator"]: row["verdict"] for row in rows if row.get("kind") == "call"}
    assert verdicts["aten.nobody_has.default"] == "unsupported"
    assert "no overload aten.nobody_has" in str([row["reason"] for row in rows])
    assert "5 of 8 calls of a step (62.5%) were measured in both arms, 1 of 2" in done.stderr
    assert "the step of toy is not measured: --network says what makes it again" in done.stderr
    only = compare("-k", "name=aten.nobody_has.default", "--no-network")
    assert only.returncode == 12, only.stdout


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--input", "lhs=(2,2)"), "--input does not go with --calls"),
        (("--metric", "peak_memory"), "--metric peak_memory does not go with --calls"),
        (("--framework", "mxnet"), "are pytorch's own operators"),
        (("-k", "name=aten.rely.default"), "did you mean 'aten.relu.default'?"),
        (("--no-network", "--network", "resnet18"), "not allowed with"),
        (("--a", "mxnet==1.9.1", "--b", "mxnet==1.9.1"), "the arms require mxnet"),
    ],
)
def test_what_does_not_go_with_calls_is_refused(
    opperf: CommandLine, record: CallsRecord, flags: tuple[str, ...], said: str
) -> None:
    """In one line, before anything starts."""
    write_calls(record, opperf.directory / "toy.calls.json")
    done = opperf.run("ab", "--calls", "toy.calls.json", "--a", ".", "--b", ".", *flags)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert len(told(done.stderr)) == 1


def test_a_network_needs_calls(opperf: CommandLine) -> None:
    """Its step alone predicts nothing."""
    done = opperf.run("ab", "--a", ".", "--b", ".", "--network", "resnet18")
    assert done.returncode == 2
    assert "give --calls" in done.stderr

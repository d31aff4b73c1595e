"""What a call takes of the memory, in children of the memory pass, against bytes that are known."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.registry import MEASURED, find_framework
from opperf.declaring.registry import find_operator, operators
from opperf.measuring.worker.code_path import ROOT
from opperf.measuring.worker.handle import Limits, Worker
from opperf.measuring.worker.variables import MEMORY
from opperf.planning.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.core.frameworks.variant import Variant

MIB = 2**20
NEAR = 0.1
"""How far a figure above 1 MB may be off."""
FEW = 4 * MIB * NEAR
SWEEP = """
import json, sys
from opperf.core.frameworks.registry import find_framework
from opperf.core.configuration.settings import Settings
from opperf.declaring.registry import operators
from opperf.measuring.attempt import Attempt

framework = find_framework(sys.argv[1])
framework.load(1)
for name, kind in operators().items():
    operator = kind(size="small")
    whole = framework.implementation(kind, variant="fused")
    is_compiled = sys.argv[1] == "pytorch" and whole is not None and whole.compiles
    for variant in kind.variants():
        if is_compiled and variant == "fused":
            continue  # a compiler takes seconds
        attempt = Attempt(operator, framework, "cpu", Settings())
        directions = [d for v, d in operator.rows() if v == variant]
        for direction in dict.fromkeys([directions[0], directions[-1]]):
            try:
                attempt.refuse(variant, direction)
                footprint = attempt.workload(variant).footprint
            except Exception as error:
                continue
            found = footprint(direction)
            print(json.dumps([name, variant, direction, found, operator.output_bytes()]))
"""


ASK = "from opperf.core.memory import pages as found; print(found.is_told())"


def in_child(framework: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python under the settings of the child of the framework's memory pass."""
    settings = {**MEMORY, **find_framework(framework).environment(1), "PYTHONPATH": ROOT}
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = [sys.executable, "-c", *arguments]
    return subprocess.run(command, env=kept | settings, capture_output=True, check=False, text=True)


@pytest.fixture(scope="module", autouse=True)
def _told() -> None:
    """Skip where the machine does not tell what is written."""
    if in_child("numpy", ASK).stdout.strip() != "True":
        pytest.skip("this machine does not tell which pages are written")


@dataclass
class Child:
    """The child of one framework's memory pass, and what it has found."""

    worker: Worker
    found: dict[str, dict[str, Mapping[str, int]]] = field(default_factory=dict)

    def memory(
        self, name: str, *, variant: Variant = "only", **inputs: Any
    ) -> dict[str, Mapping[str, int]]:
        """Return an operator's memory by direction, measured when first asked for."""
        key = json.dumps([name, variant, inputs])
        if key not in self.found:
            operator = find_operator(name)(inputs)
            rows = tuple(row for row in operator.rows() if row[0] == variant)
            task = Task(
                operator=name,
                framework=self.worker.framework,
                inputs=inputs,
                rows=rows,
            )
            found: dict[str, dict[str, Any]] = {}
            for event in self.worker.run(task):
                if event["event"] == "metrics":
                    values = {one["name"]: one["value"] for one in event["metrics"]}
                    found.setdefault(rows[event["row"]][1], {}).update(values)
            self.found[key] = found
        return self.found[key]


@pytest.fixture(scope="module", params=MEASURED)
def child(request: pytest.FixtureRequest) -> Iterator[Child]:
    """Return a child of each framework that is installed."""
    if not find_framework(request.param).is_installed():
        pytest.skip(f"{request.param} is not installed")
    timing = Worker(framework=request.param, device="cpu", threads=1, limits=Limits())
    with closing(timing), closing(timing.for_memory()) as worker:
        worker.ensure()
        yield Child(worker)


def test_an_add_takes_its_output_and_no_more(child: Child) -> None:
    """Inference and training alike write 4 MiB, and the backward needs neither input."""
    found = child.memory("Add")
    for direction in ("forward", "forward_recorded"):
        assert found[direction]["outputs"] == 4 * MIB
        assert found[direction]["workspace"] < FEW
        assert found[direction]["saved"] < FEW


def test_twice_the_tensor_is_twice_the_bytes(child: Child) -> None:
    """Outputs, gradients and what is saved follow the size of the inputs."""
    single = child.memory("Multiply", lhs=(512, 1024), rhs=(512, 1024))
    double = child.memory("Multiply", lhs=(1024, 1024), rhs=(1024, 1024))
    assert double["forward"]["outputs"] == 2 * single["forward"]["outputs"] == 4 * MIB
    assert double["backward"]["outputs"] == 2 * single["backward"]["outputs"] == 8 * MIB
    assert single["backward"]["saved"] == pytest.approx(4 * MIB, rel=NEAR)
    assert double["backward"]["saved"] == pytest.approx(8 * MIB, rel=NEAR)


def test_a_convolution_saves_its_input(child: Child) -> None:
    """And its weight, in each direction of training; inference saves nothing."""
    found = child.memory("Conv2D")
    shapes = find_operator("Conv2D")().shapes
    kept = 4 * sum(prod(shapes[name]) for name in ("data", "weight"))
    assert found["forward"]["saved"] == 0
    for direction in ("forward_recorded", "backward", "forward_backward"):
        assert found[direction]["saved"] == pytest.approx(kept, rel=NEAR)


def test_a_softmax_saves_its_output(child: Child) -> None:
    """It is written once and kept: neither workspace nor counted twice."""
    found = child.memory("Softmax")["forward_recorded"]
    output = 4 * prod(find_operator("Softmax")().shapes["data"])
    assert found["outputs"] == output
    assert found["saved"] == pytest.approx(output, rel=NEAR)
    assert found["workspace"] < FEW


def test_what_lies_between_two_calls_is_workspace(child: Child) -> None:
    """A sum that is rectified afterwards takes as much again as its output."""
    shape = (2048, 1024)
    found = child.memory("AddReLU", variant="unfused", lhs=shape, rhs=shape)["forward"]
    assert found["outputs"] == 8 * MIB
    assert found["workspace"] == pytest.approx(8 * MIB, rel=NEAR)


def test_what_follows_each_other_is_not_added_up(child: Child) -> None:
    """A bounded square root of nine steps never has more than its temporaries of two or three."""
    found = child.memory("HuberLoss")["forward"]
    assert found["workspace"] <= 5 * 4 * MIB * (1 + NEAR)


def test_an_update_in_place_takes_nothing_more(child: Child) -> None:
    """What it writes are the inputs that it changes."""
    found = child.memory("IMul")["forward"]
    assert found["outputs"] == 4 * MIB
    assert found["workspace"] < FEW


def test_both_in_a_row_have_the_outputs_of_both(child: Child) -> None:
    """The output and the gradient of an exponential, 4 MiB each."""
    found = child.memory("Exp")
    assert found["backward"]["outputs"] == 4 * MIB
    assert found["forward_backward"]["outputs"] == 8 * MIB


UNTOLD = ("sparse", "indexing", "sorting", "shape")
"""Categories with outputs that are several tensors in one, or whose shape is known in the end."""


@pytest.mark.parametrize("framework", MEASURED)
def test_every_operator_s_memory_can_be_told(framework: str) -> None:
    """No operator raises an error in the pass, where a missing figure would hide it."""
    if not find_framework(framework).is_installed():
        pytest.skip(f"{framework} is not installed")
    found = in_child(framework, SWEEP, framework)
    assert found.returncode == 0, found.stderr[-2000:]
    rows = [json.loads(line) for line in found.stdout.splitlines() if line.startswith("[")]
    assert len(rows) > 150
    # MXNet does not copy an array without dimensions there, so that what is saved is not known.
    may_lack = {"saved"} if framework == "mxnet" else set()
    lacking = {row[0]: {name for name, value in row[3].items() if value is None} for row in rows}
    untold = {name for name, fields in lacking.items() if fields - may_lack}
    kinds = operators()
    known = {name for name in untold if kinds[name].category in UNTOLD}
    assert untold - known == set()

"""Tests of small models, and what measures one in this process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.configuration.settings import PLAIN, Settings
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.reading import from_mapping
from opperf.specs.measuring.attempt import SpecAttempt
from opperf.specs.measuring.parts import SpecInput, SpecModel
from opperf.specs.measuring.task import SpecTask, spec_task, spec_task_from

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.results.result import Result

SETTINGS = Settings(warmup=1, runs=6, process=PLAIN)
HERE = "tests.specs.measuring"
MODULES = {"pytorch": f"{HERE}.torch_models", "mxnet": f"{HERE}.mxnet_models"}
ONE = (SpecInput(name="data", shape=(2, 8)),)
TWO = (SpecInput(name="data", shape=(2, 3)), SpecInput(name="other", shape=(2, 3)))


@pytest.fixture(params=["mxnet", "pytorch"])
def framework(request: pytest.FixtureRequest) -> str:
    """Return the name of a framework that is here."""
    name = str(request.param)
    if not find_framework(name).is_installed():
        pytest.skip(f"{name} is not installed")
    return name


def make_task(
    framework: str, model: str, tensors: Sequence[SpecInput] = ONE, **others: Any
) -> SpecTask:
    """Return the task of a test of one of the models here."""
    made = SpecModel(
        name=model,
        format="python",
        options={"factory": f"{MODULES[framework]}:{model}"},
        trust=True,
    )
    given = {"identifier": f"{model}_0", "settings": SETTINGS, **others}
    return spec_task(made, tensors, framework=framework, **given)


@pytest.fixture
def measure(framework: str) -> Callable[..., Result]:
    """Return a function that measures a model in this process."""

    def measured(model: str, tensors: Sequence[SpecInput] = ONE, **others: Any) -> Result:
        made = make_task(framework, model, tensors, **others)
        task = spec_task_from(json.loads(made.to_json()))
        assert task == made
        attempt = SpecAttempt(task, find_framework(framework))
        (record,) = attempt.records(task.rows, lambda *_: None)
        return from_mapping(record)

    return measured

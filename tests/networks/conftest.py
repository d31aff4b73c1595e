"""Networks that are small, and what measures one in this process."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.configuration.settings import PLAIN, Settings
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.outcome import Outcome
from opperf.core.results.reading import from_mapping
from opperf.core.statistics.summary import summarize
from opperf.networks.measuring.attempt import ModelAttempt
from opperf.networks.measuring.task import model_task, model_task_from
from opperf.networks.registry import find_entry
from opperf.networks.request import ModelRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

MORE = Path(__file__).parent / "more"
SETTINGS = Settings(warmup=1, runs=6, process=PLAIN)


@pytest.fixture(params=["mxnet", "pytorch"])
def framework(request: pytest.FixtureRequest) -> str:
    """Return the name of a framework that is here."""
    name = str(request.param)
    if not find_framework(name).is_installed():
        pytest.skip(f"{name} is not installed")
    return name


@pytest.fixture
def measure(framework: str) -> Callable[..., Result]:
    """Return a function that measures a network in this process."""

    def measured(model: str, settings: Settings = SETTINGS, **given: Any) -> Result:
        entry = find_entry(model, framework, [MORE])
        asked = ModelRequest(model=model, entry=entry, **{"batch_size": 2, "exact": True, **given})
        task = model_task_from(json.loads(model_task(asked, settings).to_json()))
        attempt = ModelAttempt(task, find_framework(framework))
        (record,) = attempt.records(task.rows, lambda *_: None)
        return from_mapping(record)

    return measured


@pytest.fixture
def make_summary() -> Callable[..., Outcome]:
    """Return a function that makes an outcome of a median and its interval."""

    def made(median: float, interval: tuple[float, float]) -> Outcome:
        return Outcome(status="ok", summary=replace(summarize([median] * 6), interval=interval))

    return made

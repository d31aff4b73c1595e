"""The tasks of the checkout's own tasks file train for real, in both frameworks."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from opperf.core.frameworks.registry import find_framework
from opperf.tasks.file import find_task, read_sections

ROOT = Path(__file__).parents[2]
FILE = ROOT / "task_config_template.cfg"
FRAMEWORKS = {
    "resnet50_cifar10_imperative": "mxnet",
    "resnet50_cifar10_hybrid": "mxnet",
    "resnet50_cifar10_pytorch": "pytorch",
}


def test_every_section_is_sound() -> None:
    """Each is a task, and is tried below."""
    assert {find_task(FILE, name).name for name in read_sections(FILE)} == {*FRAMEWORKS}


@pytest.mark.parametrize("task", FRAMEWORKS)
def test_a_training_is_a_task(task: str, tmp_path: Path, opperf: Any) -> None:
    """It learns what it is shown, and all of the document's keys have a value but the GPU's."""
    if not find_framework(FRAMEWORKS[task]).is_installed():
        pytest.skip(f"{FRAMEWORKS[task]} is not installed")
    shutil.copy(FILE, tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    found = opperf.run("task", task)
    assert found.returncode == 0, found.stderr + found.stdout
    values = json.loads((tmp_path / "dlbenchmark_result.json").read_text())
    assert values[f"{task}.speed"] > 0
    assert 0.2 < values[f"{task}.training_acc"] <= 1
    assert 0 < values[f"{task}.validation_acc"] <= 1
    assert values[f"{task}.total_training_time"] > 0
    assert values[f"{task}.cpu_memory_usage"] > 50
    assert len(values) == 8

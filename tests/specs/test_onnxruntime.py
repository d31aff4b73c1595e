"""ONNX Runtime, a framework found by its entry point: it measures, and computes what it says."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import entry_points, version
from typing import TYPE_CHECKING

import numpy as np
import pytest

from opperf.core.errors import UnsupportedError, UsageError
from opperf.core.frameworks.registry import BUILT_IN, find_framework, framework_names
from opperf.onnxruntime_benchmarks import FRAMEWORK
from opperf.onnxruntime_benchmarks.table import TABLE

if TYPE_CHECKING:
    from pathlib import Path

NAMES = sorted(kind.name() for kind in TABLE)


def test_it_is_a_plug_in() -> None:
    """Nothing of opperf names it but its own entry point."""
    assert "onnxruntime" not in BUILT_IN
    assert "onnxruntime" in framework_names()
    assert find_framework("onnxruntime") is FRAMEWORK
    (point,) = entry_points(group="opperf.frameworks", name="onnxruntime")
    assert point.value == "opperf.onnxruntime_benchmarks:FRAMEWORK"


def test_its_operators_compute_what_they_say(tmp_path: Path) -> None:
    """Each row of its table is compared with NumPy's reference, and timed."""
    command = [
        sys.executable, "-m", "opperf", "run", *NAMES, "--framework", "onnxruntime", "--size",
        "small", "--runs", "3", "--warmup", "1", "--output-file", "rows.json",
    ]  # fmt: skip
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert sorted(row["operator"]["name"] for row in rows) == NAMES
    assert {row["status"] for row in rows} <= {"ok", "noisy"}
    assert {row["correctness"]["reference"] for row in rows} == {"numpy float64"}
    assert {row["environment"]["framework_version"] for row in rows} == {version("onnxruntime")}


def test_what_it_does_not_have() -> None:
    """A GPU, bfloat16."""
    with pytest.raises(UsageError, match="unknown device 'cuda'"):
        FRAMEWORK.device("cuda")
    with pytest.raises(UnsupportedError, match="no bfloat16"):
        FRAMEWORK.tensor(np.ones(2), "bfloat16", "cpu", differentiable=False)


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both of its packages are needed."""
    from opperf.core.errors import NotInstalledError
    from opperf.core.frameworks.registry import require_installed
    from opperf.onnxruntime_benchmarks import framework

    require_installed(FRAMEWORK)
    monkeypatch.setattr(framework, "find_spec", lambda name: None if name == "onnx" else name)
    with pytest.raises(NotInstalledError, match=r"opperf\[onnx\]"):
        require_installed(FRAMEWORK)

"""Each extra as a user installs it: from an index, into an environment that has nothing."""

from __future__ import annotations

import re
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from tests.packaging.conftest import ROOT, succeed, wheel_of
from tests.packaging.test_promises import extras

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from _pytest.mark.structures import ParameterSet

TAKING_PART = {"dev", "peers"}
"""What the project's own tests need, and this environment has."""
FRAMEWORKS = {
    "mxnet": "mxnet",
    "pytorch": "pytorch",
    "transformers": "pytorch",
    "all": "mxnet,pytorch",
}
"""Those that an extra brings; NumPy is always there."""
LARGE = {
    "all", "fleet", "fleet-slurm", "gcs", "mxnet", "onnx", "parquet", "plot", "pytorch",
    "transformers",
}  # fmt: skip
"""Those that take minutes or gigabytes, which `make test-installs` tries."""


def cases() -> list[ParameterSet]:
    """Return the extras of those who use opperf."""
    chosen = sorted(set(extras()) - TAKING_PART)
    marks = {extra: [pytest.mark.installs] if extra in LARGE else [] for extra in chosen}
    return [pytest.param(extra, marks=marks[extra]) for extra in chosen]


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[Path]:
    """Return a new environment, which is gone after the test: some take a gigabyte."""
    folder = tmp_path / "environment"
    succeed([sys.executable, "-m", "venv", "--without-pip", folder], tmp_path)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.timeout(900)
@pytest.mark.usefixtures("index")
@pytest.mark.parametrize("extra", cases())
def test_an_extra_installs_and_opperf_measures(
    extra: str, built: Path, environment: Path, tmp_path: Path
) -> None:
    """With the versions that the project states, and no other package."""
    pip = [sys.executable, "-m", "pip", "--python", environment / "bin/python", "install"]
    wheel = f"{wheel_of(built)}[{extra}]"
    options = ["--quiet", "--no-compile", "-c", ROOT / "constraints.txt"]
    said = succeed([*pip, *options, wheel], tmp_path)
    assert "does not provide the extra" not in said
    command = [environment / "bin/opperf", "run", "Add", "--size", "small", "--quick"]
    table = succeed([*command, "--framework", FRAMEWORKS.get(extra, "numpy")], tmp_path)
    assert re.search(r"^Add +\(64,64\)", table, re.MULTILINE), table

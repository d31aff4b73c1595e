"""The example in this repository, on both frameworks."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.frameworks.registry import find_framework
from opperf.specs.format.reading import read_specifications
from tests.docs.commands import ROOT

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = ROOT / "examples" / "specifications"


def test_the_example_is_read() -> None:
    """Its list names one model with four tests, all of a group."""
    (found,) = read_specifications(EXAMPLES / "all.json")
    assert [test.identifier for test in found.tests] == [f"perceptron-{n}" for n in range(4)]
    assert {test.meta["group"] for test in found.tests} == {"examples"}


def test_the_golden_output_is_what_its_program_writes(tmp_path: Path) -> None:
    """The files beside it are not another program's."""
    from examples.specifications.perceptron import write_files

    write_files(tmp_path)
    for name in ("data.npy", "golden.npy"):
        made, kept = np.load(tmp_path / name), np.load(EXAMPLES / name)
        assert np.allclose(made, kept, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("framework", ["mxnet", "pytorch"])
def test_the_example_runs(framework: str, opperf: Any) -> None:
    """From the file to records, on each framework: times, operators and a right output."""
    if not find_framework(framework).is_installed():
        pytest.skip(f"{framework} is not installed")
    shutil.copytree(EXAMPLES, opperf.directory / "examples" / "specifications")
    done = opperf.run(
        "spec", "examples/specifications/all.json", "--trust-model", "--framework", framework,
        "--budget", "0.2", "--model-cache", "cache", "--local-reporter", "out",
        PYTHONPATH=os.pathsep.join([str(opperf.directory), str(ROOT)]),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    records = opperf.records()
    assert [record["meta"]["identifier"] for record in records] == [
        f"perceptron-{number}" for number in range(4)
    ]
    assert {record["status"] for record in records[:3]} <= {"ok", "noisy"}
    assert all(record["summary"]["median"] > 0 for record in records[:3])
    operators = {each["name"] for record in records for each in record["metrics"]}
    assert any(name.startswith("operator/") for name in operators)
    (error,) = [each["value"] for each in records[3]["metrics"] if each["name"] == "error"]
    assert error < 1e-5
    assert len([*opperf.directory.glob(f"out/cpu/{framework}/perceptron/*/*/**/meta.json")]) == 4

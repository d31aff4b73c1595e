"""References stand on NumPy alone, and importing opperf imports no framework."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from opperf.declaring.registry import operators

BLOCKED = """
import json, sys
sys.modules["mxnet"] = sys.modules["torch"] = None
from opperf.core.checking.expectation import Expectation
from opperf.declaring.registry import operators

faults = {}
for name, kind in operators().items():
    try:
        inputs = {"dtype": "float64"} if "float64" in kind.dtypes else {"dtype": kind.dtypes[0]}
        operator = kind(inputs=inputs, size="small")
        expectation = Expectation(operator, seed=0)
        for training in (False, True):
            found = [array.shape for array in expectation.outputs(training=training)]
            if found != [tuple(shape) for shape in operator.outputs()]:
                faults[name] = f"shapes {found}, declared {operator.outputs()}"
        if operator.gradient is not None:
            cotangents = [cotangent.astype(float) for cotangent in expectation.cotangents]
            operator.gradient(cotangents, *expectation.exact, **operator.keywords)
    except Exception as error:
        faults[name] = repr(error)
print(json.dumps(faults))
"""

BLOCKING = """
import sys
sys.modules["torch"] = None
try:
    import torch
except ImportError:
    print("no")
"""

FRONTS = """
from opperf.core.frameworks.registry import find_framework, framework_names
for name in framework_names():
    find_framework(name).is_installed(), len(find_framework(name).table)
"""

DECLARATIONS = """
from opperf.declaring.registry import operators
for kind in operators().values():
    kind(size="small").flop_count()
"""

IMPORTS = """
import sys
{statements}
print(*sorted({{"mxnet", "torch", "numpy"}} & set(sys.modules)))
"""


def run(program: str) -> str:
    """Return what a program prints in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    return done.stdout.strip()


def test_references_run_without_any_framework() -> None:
    """A reference or gradient that imports MXNet or PyTorch would compare it with itself."""
    assert json.loads(run(BLOCKED)) == {}


def test_a_reference_that_imports_a_framework_would_be_found() -> None:
    """The block holds: an import of either fails in that interpreter."""
    assert run(BLOCKING) == "no"


@pytest.mark.parametrize(
    ("statements", "allowed"),
    [
        ("import opperf", set()),
        ("import opperf.nd", {"numpy"}),
        ("from opperf.nd import Add; Add().inputs", {"numpy"}),
        ("import opperf.mxnet_benchmarks, opperf.pytorch_benchmarks", {"numpy"}),
        (FRONTS, {"numpy"}),
        (DECLARATIONS, {"numpy"}),
    ],
    ids=["package", "namespace", "operator", "tables", "fronts", "registry"],
)
def test_importing_imports_no_framework(statements: str, allowed: set[str]) -> None:
    """Names, tables and declarations are there at once; `import opperf` does without NumPy even."""
    assert set(run(IMPORTS.format(statements=statements)).split()) <= allowed


def test_there_are_operators() -> None:
    """The generated tests run over something."""
    assert len(operators()) >= 13

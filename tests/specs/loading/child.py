"""Loads models, each in a process of its own: forked off one that has imported the framework.

Its arguments are the framework and modules to import before. It reads a line of JSON for each model
and answers with one: what it computes of its inputs, the error, or how the process ended.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from opperf.core.errors import OpperfError
from opperf.core.frameworks.models import ModelFiles
from opperf.core.frameworks.registry import find_framework

if TYPE_CHECKING:
    from opperf.core.frameworks.framework import Framework

LONGEST = 120
"""Seconds for one model."""


def attempt(framework: Framework, request: dict[str, Any]) -> dict[str, Any]:
    """Load a model and call it on its inputs."""
    model = ModelFiles(
        name="net",
        format=request["format"],
        files={role: Path(path) for role, path in request["files"].items()},
        options=request["options"],
        trust=request["trust"],
    )
    try:
        loaded = framework.load_model(model, "cpu")
        given = request["inputs"]
        tensors = [
            framework.tensor(np.float32(given[name]), "float32", "cpu", differentiable=False)
            for name in (loaded.inputs or given)
        ]
        outputs = loaded(tensors)
    except OpperfError as error:
        return {"error": str(error)}
    except Exception as error:  # noqa: BLE001 - any other kind is a fault
        return {"fault": f"{type(error).__name__}: {error}"}
    return {
        "inputs": loaded.inputs,
        "names": loaded.outputs,
        "outputs": [framework.array(output).tolist() for output in outputs],
        "differentiable": [bool(getattr(output, "requires_grad", False)) for output in outputs],
    }


def answer(found: dict[str, Any]) -> None:
    """Write a line."""
    sys.stdout.write(json.dumps(found) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Serve until nothing more is asked for."""
    framework = find_framework(sys.argv[1])
    framework.load(1)
    for name in sys.argv[2:]:
        import_module(name)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            signal.alarm(LONGEST)
            answer(attempt(framework, json.loads(line)))
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        if status:
            answer({"status": os.waitstatus_to_exitcode(status)})


if __name__ == "__main__":
    main()

"""The kernels that a call runs in MXNet, by its profiler."""

from __future__ import annotations

import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

HOUSEKEEPING = ("DeleteVariable", "WaitForVar")
"""The engine's own operations, between the operators."""
WATCHED = {"profile_imperative": True, "profile_symbolic": True, "aggregate_stats": True}
"""Operators called one by one and in graphs, summed by name."""
MILLISECONDS = 1e-3


def kernels(mxnet: Any, call: Callable[[], object]) -> list[str]:
    """Return the names of the operators that the engine executes for a call, in alphabetical order.

    MXNet sums them, so their order is lost; one that runs twice is listed twice. A node that oneDNN
    fused is one, such as `_sg_mkldnn_conv`.
    """
    found = profiled(mxnet, call)
    return [name for name in sorted(found) for _ in range(found[name]["Count"])]


def profiled(mxnet: Any, call: Callable[[], object]) -> dict[str, dict[str, Any]]:
    """Return the profiler's `Count` and `Total`, in milliseconds, of each operator of a call."""
    profiler = mxnet.profiler
    mxnet.nd.waitall()
    # Its own thread may still write there when it was stopped.
    with TemporaryDirectory(prefix="opperf-", ignore_cleanup_errors=True) as folder:
        # It deletes the file it is told to write, so that this may be nobody's: not /dev/null.
        profiler.set_config(**WATCHED, filename=str(Path(folder, "profile.json")))
        profiler.dumps(reset=True)
        profiler.set_state("run")
        try:
            call()
            mxnet.nd.waitall()
        finally:
            profiler.set_state("stop")
        found = json.loads(profiler.dumps(reset=True, format="json"))["Time"].get("operator", {})
    return {name: each for name, each in found.items() if name not in HOUSEKEEPING}


def operator_times(
    mxnet: Any, step: Callable[[], object], steps: int
) -> tuple[dict[str, float], float]:
    """Return the seconds of each operator of a step, and of the step: the means of so many."""
    took: list[float] = []

    def several() -> None:
        began = time.perf_counter()
        for _ in range(steps):
            step()
        mxnet.nd.waitall()
        took.append(time.perf_counter() - began)

    found = profiled(mxnet, several)
    times = {name: each["Total"] * MILLISECONDS / steps for name, each in found.items()}
    return times, took[-1] / steps

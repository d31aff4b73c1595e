"""One sound document of each stored format, with every field that it may have."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from msgspec import convert

from opperf.comparing.arms.arm import ArmSpec
from opperf.comparing.arms.entry import ArmEntry
from opperf.comparing.campaign import Rules
from opperf.core.configuration.settings import Settings
from opperf.core.results.pair import ARM_SCHEMA, Pair
from opperf.measuring.worker.handle import Limits
from opperf.planning.selection import Selection
from opperf.storing.manifest import COMPARISON

if TYPE_CHECKING:
    from collections.abc import Mapping

RUN, OTHER, SWEEP, AB, ARMS = (f"20261121T0{hour}1502-7f3a9c" for hour in (1, 2, 3, 4, 5))
NIGHTS = 14
BEGIN = datetime(2026, 9, 1, 2, tzinfo=timezone.utc)

ENVIRONMENT: Mapping[str, Any] = {
    "machine_key": "caa7d7bf20140017", "cpu": "AMD EPYC", "architecture": "x86_64", "cores": 2,
    "physical_cores": 2, "smt": False, "caches": {"L1d": 32768}, "hypervisor": True,
    "governor": None, "instruction_sets": ["avx", "avx2"], "memory_bytes": 25276510208, "gpu": [],
    "os": "Debian GNU/Linux 12", "python": {"version": "3.11.7", "executable": "/usr/bin/python"},
    "packages": {"numpy": "1.26.4"}, "affinity": [0, 1], "load_average": [1.5, 2.5, 3.5],
    "clock": {"resolution": 1e-9, "read_cost": 5.5e-8}, "env_vars": {"OMP_NUM_THREADS": "1"},
    "framework": "numpy", "framework_version": "1.26.4", "threads": None,
    "instruction_sets_allowed": {"OpenBLAS": "Haswell"}, "container": {"cpu_quota": None},
}  # fmt: skip
OPERATOR: Mapping[str, Any] = {
    "name": "Add", "category": "arithmetic", "framework": "numpy", "implementation": "numpy.add",
    "direction": "forward", "size": "small", "fused": None, "device": "cpu", "threads": 1,
    "cache": "hot", "process": "laid_out", "cores": None, "mode": "inference",
    "backward_method": None,
}  # fmt: skip
INPUTS = [
    {"name": name, "shape": [64, 64], "dtype": "float32", "layout": "contiguous", "nbytes": 16384}
    for name in ("lhs", "rhs")
]


def record(**changes: Any) -> dict[str, Any]:
    """Return a result with a time and all that may be found beside it."""
    fields: dict[str, Any] = {
        "schema": "opperf.result/5", "result_id": f"{1:032x}", "supersedes": None, "run_id": RUN,
        "session": 0, "started_at": BEGIN.isoformat(), "opperf_version": "0.1.0",
        "command": "opperf run", "tags": ["nightly"], "status": "ok", "reason": None,
        "signal": None, "stderr": None, "subject": {"kind": "operator", "name": "Add"},
        "operator": {**OPERATOR}, "inputs": INPUTS,
        "attributes": {"axis": 1}, "initializer": "normal", "seed": 0, "series_key": "a" * 16,
        "definition_key": "b" * 16,
        "samples": {
            "seconds": [2.0e-4, 2.1e-4, 2.2e-4, 2.3e-4, 2.4e-4, 2.5e-4], "iterations": 100,
            "first_call": 2.8e-5, "null": 1.9e-8, "method": "interval", "stop_reason": "runs",
            "steady": True, "left_out": [3],
        },
        "summary": {
            "n": 6, "n_eff": 6.0, "minimum": 2.0e-6, "median": 2.2e-6, "mean": 2.2e-6,
            "mad": 1e-8, "iqr": 2e-8, "p5": 2.0e-6, "p90": 2.4e-6, "p99": 2.5e-6,
            "interval": [2.1e-6, 2.3e-6], "precision": 0.04, "outlier_share": 0.1,
            "bimodal": False, "drift": 0.0, "stop_reason": "runs",
            "warnings": [{"code": "outliers", "message": "33% of the samples are outliers"}],
        },
        "flop_count": 4096, "byte_count": 49152, "flop_rate": 4.8e9, "byte_rate": 5.8e10,
        "peak_fraction": 0.5, "roof": {"bound": "bytes", "rate": 1e11},
        "memory": {"outputs": 16384, "workspace": 0, "saved": None},
        "device_times": {"submit": 1e-6, "device": 2e-6, "latency": 3e-6, "graph": False},
        "counters": {"instructions": 1234.5},
        "noise": {
            "marked": 0.0, "cpu_share": 0.9, "context_switches": 3, "page_faults": 1, "steal": 0.0,
            "pressure": 0.1,
        },
        "fusion": {
            "kernels": ["add"], "parts": ["c" * 16], "traffic_bytes": 8, "bandwidth": 1e9,
        },
        "metrics": [{
            "name": "energy", "unit": "J", "value": 0.25, "better": "less", "per": "call",
            "interval": [0.24, 0.26], "reason": None, "min_value": 0.1, "max_value": 0.5,
        }],
        "correctness": {
            "reference": "numpy float64", "max_abs_error": 2e-7, "max_rel_error": 6e-8,
            "gradients": None,
        },
        "meta": {"commit": "0123abcd", "run_type": "benchmark"}, "environment": {**ENVIRONMENT},
    }  # fmt: skip
    return json.loads(json.dumps(fields | changes))  # type: ignore[no-any-return]


def records(run: str = RUN) -> list[dict[str, Any]]:
    """Return a run's results: one with a time, one that failed, a fused one beside its parts."""
    other = {**OPERATOR, "name": "Exp", "category": "exponential"}
    fused = {**OPERATOR, "name": "AddReLU", "category": "fused"}
    failed = {"status": "failed", "reason": "RuntimeError: no", "signal": "SIGSEGV", "stderr": "x",
              "samples": None, "summary": None, "operator": other}  # fmt: skip
    found = [record(), record(**failed), record(operator={**fused, "fused": True})]
    found.append(record(operator={**fused, "fused": False}, supersedes="f" * 32))
    found.append(record(operator={**OPERATOR, "framework": "pytorch", "device": "cuda:0"}))
    found.append(record(operator={**OPERATOR, "declaration": "Add"}))
    for number, one in enumerate(found):
        one |= {"result_id": f"{number:031x}{run[10]}", "run_id": run}
        one["series_key"] = f"{number:016x}"
    return found


def night(number: int) -> list[dict[str, Any]]:
    """Return what a night of a store found: two series, of which the first becomes slower."""
    found = []
    for row, name in enumerate(("Add", "Exp")):
        slower = 1.5 if row == 0 and number >= NIGHTS - 3 else 1.0
        median = 1e-3 * slower * (1 + 0.001 * ((number * 7 + row) % 5))
        one = record(
            result_id=f"{number:031x}{row}", run_id=f"night-{number:02}",
            started_at=(BEGIN + timedelta(days=number, seconds=row)).isoformat(),
            operator={**OPERATOR, "name": name}, series_key=f"{row:016x}",
            environment={**ENVIRONMENT, "kernel": "6.1" if number < NIGHTS - 3 else "6.2"},
        )  # fmt: skip
        one["summary"] |= {"median": median, "interval": [0.99 * median, 1.01 * median]}
        found.append(one)
    return found


def pairs() -> list[dict[str, Any]]:
    """Return a comparison's pairs: some sessions with a time, and one in which an arm crashed."""
    fields: dict[str, Any] = {
        "run_id": AB, "purpose": "comparison", "started_at": BEGIN.isoformat(),
        "opperf_version": "0.1.0", "operator": {**OPERATOR}, "inputs": tuple(INPUTS),
        "attributes": {"axis": 1}, "plan": {"iterations": 100, "limit": 200},
    }  # fmt: skip
    timed = {
        "a_status": "ok", "b_status": "ok", "a_blocks": (1e-6, 1.1e-6), "b_blocks": (2e-6, 2.1e-6),
        "a_chirps": (5, 6), "b_chirps": (7, 8), "marked": (1,), "ratio": 0.69, "a_seconds": 1e-6,
        "b_seconds": 2e-6, "outputs_difference": 0.0,
    }  # fmt: skip
    found = [pair_of(result_id=f"p{n}", session=n, **fields, **timed) for n in range(8)]
    crash = {"a_status": "ok", "b_status": "crashed", "reason": "SIGSEGV"}
    other = {**fields, "operator": {**OPERATOR, "name": "Exp"}}
    found.append(pair_of(result_id="q", session=1, **other, **crash))
    control = {**fields, "purpose": "control"}
    found.append(pair_of(result_id="c", session=9, **control, **timed))
    return [json.loads(pair.to_json()) for pair in found]


def arm_pairs() -> list[dict[str, Any]]:
    """Return the same of several arms: a pair of each in each session, and of the reference."""
    found = []
    for pair in pairs():
        arms = ["ref"] if pair["purpose"] == "control" else ["one", "other"]
        for arm in arms:
            own = {"result_id": f"{pair['result_id']}{arm}", "run_id": ARMS, "arm": arm}
            found.append({**pair, **own, "schema": ARM_SCHEMA})
    return found


def pair_of(**fields: Any) -> Pair:
    """Return a pair with these fields."""
    return convert(fields, Pair)


def manifest(run: str) -> dict[str, Any]:
    """Return what a run, a sweep or a comparison was asked to do."""
    selection = Selection(
        text="name=Add and direction=forward", frameworks=("numpy",), sizes=("small",),
        inputs={"lhs": (64, 64)}, settings=Settings(runs=6), memory_limit=2**30, sweep=run == SWEEP,
    )  # fmt: skip
    common = {
        "schema": "opperf.run/1", "run_id": run, "created_at": BEGIN.isoformat(),
        "command": "opperf run", "selection": asdict(selection),
        "limits": asdict(Limits(memory=2**30, together=2**31)),
    }  # fmt: skip
    if run == AB:
        arms = {name: asdict(ArmSpec(text=name, python="/usr/bin/python3", variables={"A": "1"}))
                for name in "ab"}  # fmt: skip
        own = {
            "kind": COMPARISON,
            "arms": arms,
            "rules": asdict(Rules()),
            "budget": 5.0,
            "strict": False,
        }
    elif run == ARMS:
        entry = ArmEntry(name="ref", text=".", python="/usr/bin/python3", variables={"A": "1"})
        arms = {name: {**asdict(entry), "name": name} for name in ("ref", "one", "other")}
        own = {"kind": COMPARISON, "arms": arms, "reference": "ref", "rules": asdict(Rules()),
               "budget": None, "strict": True}  # fmt: skip
    else:
        own = {"tags": ["nightly"], "variables": {"A": "1"}, "packages": {"numpy": "1.26.4"},
               "retry": "yes"}  # fmt: skip
    return json.loads(json.dumps({**common, **own}))  # type: ignore[no-any-return]


def verdicts() -> list[dict[str, Any]]:
    """Return verdicts as `opperf ab --format json` prints them."""
    one = {
        "operator": "Add", "framework": "numpy", "direction": "forward", "size": "small",
        "inputs": "(64,64)x2", "a_seconds": 1e-6, "b_seconds": 2e-6, "ratio": 2.0,
        "interval": [1.9, 2.1], "reliable": True, "sessions": 8, "pairs": 16, "verdict": "slower",
        "confirmed": True, "reason": None, "control": False,
    }  # fmt: skip
    return [one, {**one, "operator": "Exp", "verdict": "same", "ratio": 1.0}]

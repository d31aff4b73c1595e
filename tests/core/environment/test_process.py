"""The measuring process: where it may run, its clock, and the variables that tune it."""

from __future__ import annotations

import itertools
import os
from typing import TYPE_CHECKING

import pytest

from opperf.core.environment.process import affinity, process_facts, read_cost, recorded_variables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Machine = Callable[[Mapping[str, str]], Path]

TUNING = [
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "KMP_BLOCKTIME",
    "OPENBLAS_NUM_THREADS",
    "MXNET_ENGINE_TYPE",
    "TORCHINDUCTOR_CACHE_DIR",
    "TORCH_LOGS",
    "CUDA_VISIBLE_DEVICES",
    "NVIDIA_TF32_OVERRIDE",
    "GLIBC_TUNABLES",
    "LD_PRELOAD",
    "PYTHONHASHSEED",
    "MALLOC_ARENA_MAX",
    "ATEN_CPU_CAPABILITY",
    "DNNL_MAX_CPU_ISA",
    "ONEDNN_MAX_CPU_ISA",
    "OPENBLAS_CORETYPE",
    "NPY_DISABLE_CPU_FEATURES",
    "PYTORCH_CUDA_ALLOC_CONF",
]


@pytest.mark.parametrize("name", TUNING)
def test_recorded(name: str) -> None:
    """Whatever changes how a framework computes is in the record."""
    assert recorded_variables({name: "1"}) == {name: "1"}


@pytest.mark.parametrize("name", ["PATH", "HOME", "USER", "HOSTNAME", "AWS_REGION", "XOMP_A"])
def test_not_recorded(name: str) -> None:
    """Whatever is not on the allow-list is not in the record."""
    assert recorded_variables({name: "1"}) == {}


@pytest.mark.parametrize(
    "name",
    ["OPPERF_TOKEN", "MXNET_SECRET", "OPPERF_DB_PASSWORD", "TORCH_API_KEY", "CUDA_credentials"],
)
def test_secret_names(name: str) -> None:
    """A name that looks like a secret is not recorded, even on the allow-list."""
    assert recorded_variables({name: "hunter2"}) == {}


@pytest.mark.parametrize(
    "value",
    [
        "postgresql://me:hunter2@host/db",
        "https://hunter2@host/",
        "host=db password=hunter2",
        "https://host/?api_key=hunter2",
    ],
)
def test_secret_values(value: str) -> None:
    """A login inside a harmless name's value is not recorded."""
    assert recorded_variables({"OPPERF_STORE": value}) == {}


def test_order_and_odd_bytes() -> None:
    """The variables are sorted, and bytes that are not UTF-8 become question marks."""
    variables = recorded_variables({"OMP_SCHEDULE": "x\udcff", "OMP_DYNAMIC": "1"})
    assert list(variables.items()) == [("OMP_DYNAMIC", "1"), ("OMP_SCHEDULE", "x?")]


def test_load(machine: Machine) -> None:
    """The load is three numbers."""
    facts = process_facts({}, machine({"proc/loadavg": "0.60 0.28 0.11 1/130 4711"}))
    assert facts["load_average"] == [0.6, 0.28, 0.11]


@pytest.mark.parametrize("files", [{}, {"proc/loadavg": "1"}, {"proc/loadavg": "a b c"}])
def test_unknown_load(machine: Machine, files: dict[str, str]) -> None:
    """A load that cannot be read is None."""
    assert process_facts({}, machine(files))["load_average"] is None


def test_affinity(monkeypatch: pytest.MonkeyPatch) -> None:
    """The affinity is sorted, and None on a system that has none."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 1}, raising=False)
    assert affinity() == [1, 3]
    monkeypatch.delattr(os, "sched_getaffinity")
    assert affinity() is None


def test_read_cost() -> None:
    """A clock that moves 50 ns at every reading costs 50 ns to read."""
    assert read_cost(itertools.count(step=50).__next__) == pytest.approx(50e-9)

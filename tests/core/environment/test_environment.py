"""The environment as a whole: what `collect` returns on this machine and on a bare one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from opperf.core.environment import collect, machine_key

if TYPE_CHECKING:
    from pathlib import Path

KEYS = {
    *("machine_key", "host", "cpu", "architecture", "cores", "physical_cores", "sockets", "smt"),
    *(
        "caches",
        "memory_bytes",
        "gpu",
        "driver",
        "gpu_state",
        "gpu_state_reason",
        "os",
        "kernel",
        "libc",
        "hypervisor",
    ),
    *("container", "python", "packages", "framework", "framework_version", "build"),
    *("threads", "settings", "affinity", "governor", "boost", "huge_pages", "aslr"),
    *("load_average", "clock", "env_vars", "opperf_revision", "instruction_counter"),
    *("instruction_sets", "instruction_sets_allowed"),
}


def test_this_machine() -> None:
    """Every key is there, and the whole can be written as JSON without NaN."""
    facts = collect()
    assert set(facts) == KEYS
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts


@pytest.mark.skipif(sys.platform != "linux", reason="reads Linux's /proc and /sys")
def test_linux_tells_the_essentials() -> None:
    """On Linux the facts that name the machine are known."""
    facts = collect()
    assert facts["cpu"]
    assert isinstance(facts["memory_bytes"], int)
    assert facts["memory_bytes"] > 2**20
    assert facts["affinity"] == sorted(os.sched_getaffinity(0))


def test_bare_machine(tmp_path: Path) -> None:
    """Without /proc and /sys every key is still there, and the machine still has a key."""
    facts = collect(root=tmp_path, environ={})
    assert set(facts) == KEYS
    assert facts["machine_key"] == machine_key(facts)
    assert facts["env_vars"] == {}
    assert facts["container"] == {"cpu_quota": None, "memory_limit": None}


def test_key_is_stable() -> None:
    """Two collections on one machine have one key, whatever the variables."""
    first, second = collect(environ={}), collect(environ={"OMP_NUM_THREADS": "8"})
    assert first["machine_key"] == second["machine_key"]


def test_framework() -> None:
    """What the framework says of itself is taken over as it stands."""
    build = {"MKLDNN": True, "CUDA": False}
    facts = collect(
        {
            "name": "mxnet", "version": "1.9.1", "build": build, "threads": 1,
            "settings": {"a": 1}, "instruction_sets": {"oneDNN": "avx2"},
        }
    )  # fmt: skip
    assert (facts["framework"], facts["framework_version"]) == ("mxnet", "1.9.1")
    assert (facts["build"], facts["threads"], facts["settings"]) == (build, 1, {"a": 1})
    assert facts["instruction_sets_allowed"] == {"oneDNN": "avx2"}


def test_imports_only_the_standard_library() -> None:
    """Collecting imports no framework, not NumPy, and nothing else from outside."""
    code = (
        "import json, sys; before = set(sys.modules)\n"
        "from opperf.core.environment import collect\n"
        "collect()\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in set(sys.modules) - before})))"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    outside = set(json.loads(run.stdout)) - set(sys.stdlib_module_names)
    assert outside == {"opperf"}

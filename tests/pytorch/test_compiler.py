"""What PyTorch loads late, and when: no operator's first call pays for it."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from opperf.core.frameworks.registry import find_framework
from opperf.pytorch_benchmarks import compiler
from opperf.pytorch_benchmarks.compiler import cache_settings

LOADED = """
import sys
from functools import partial
from opperf.core.frameworks.registry import find_framework

framework = find_framework("pytorch")
framework.load(1)
torch = framework.torch
print("sympy" in sys.modules)
print(framework.kernels(partial(torch.relu, torch.ones(4)), "cpu"))
print("torch._inductor" in sys.modules)
"""


def test_the_first_backward_is_behind_and_the_compiler_not_loaded() -> None:
    """SymPy comes with the framework; counting kernels loads no compiler, of several seconds."""
    run = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["True", "['aten::clamp_min']", "False"]


class Fake:
    """Of torch, what loading the compiler uses; it counts what is compiled."""

    def __init__(self) -> None:
        self.compiled = 0
        self.relu = abs

    def ones(self, *_: Any, **__: Any) -> Any:
        """Return nothing that matters."""
        return -1

    def compile(self, model: Any) -> Any:
        """Count."""
        self.compiled += 1
        return lambda data: SimpleNamespace(backward=lambda: model(data))


@pytest.mark.parametrize(("name", "compiled"), [(sys.executable, 1), ("no-such-compiler", 0)])
def test_the_compiler_is_loaded_once(
    monkeypatch: pytest.MonkeyPatch, name: str, compiled: int
) -> None:
    """By compiling something; where it cannot work, nothing is raised."""
    monkeypatch.setenv("CXX", name)
    torch = Fake()
    for _ in range(3):
        compiler.load(torch)
    assert torch.compiled == compiled


def test_a_limited_instruction_set_has_a_folder_of_its_own() -> None:
    """Compiled graphs are found by what they compute, so one for wider vectors would be taken."""
    folders = [
        cache_settings({"ATEN_CPU_CAPABILITY": capability}).get("TORCHINDUCTOR_CACHE_DIR")
        for capability in ("avx2", "default")
    ]
    assert None not in folders
    assert len(set(folders)) == 2
    assert cache_settings({}) == cache_settings({"ATEN_CPU_CAPABILITY": "../odd"}) == {}


def test_loading_sets_the_folder_unless_it_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that a user names is his own to keep apart."""
    front = find_framework("pytorch")
    monkeypatch.setattr(type(front), "torch", SimpleNamespace(set_num_threads=lambda _: None))
    monkeypatch.setenv("ATEN_CPU_CAPABILITY", "avx2")
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", "/own")
    front.load(1)
    assert os.environ["TORCHINDUCTOR_CACHE_DIR"] == "/own"
    monkeypatch.delenv("TORCHINDUCTOR_CACHE_DIR")
    front.load(1)
    assert os.environ["TORCHINDUCTOR_CACHE_DIR"].endswith("_avx2")

"""What a build needs of the processor: without that, what is known to need it does not work.

Without is had on any processor, by the variables that limit oneDNN. That it works where the
processor has it is held by test_operators.py's half precision, which decides from the facts.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.registry import find_framework
from tests.contracts.attempts import Attempts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.core.frameworks.framework import Framework

WITHOUT = {
    "ATEN_CPU_CAPABILITY": "avx2",
    "DNNL_MAX_CPU_ISA": "AVX2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
}
UNCOMPILED = 60.0
"""Seconds for a row that no compiler makes."""
CONVOLUTION = {
    "mxnet": """
from opperf.mxnet_benchmarks.alias import import_mxnet
nd = import_mxnet().nd
data, weight = nd.ones((1, 3, 8, 8)), nd.ones((4, 3, 3, 3))
nd.Convolution(data, weight, num_filter=4, kernel=(3, 3), no_bias=True).asnumpy()
""",
    "pytorch": """
import torch
torch.nn.functional.conv2d(torch.ones(1, 64, 32, 32), torch.ones(64, 64, 3, 3))
""",
}
ANSWERS = {
    "sse41": "Intel SSE4.1$",
    "avx": "Intel AVX$",
    "avx2": "Intel AVX2",
    "avx512_core": "Intel AVX-512 with AVX512BW, AVX512VL, and AVX512DQ extensions$",
    "avx512_core_vnni": "Intel AVX-512 with Intel DL Boost$",
    "avx512_core_bf16": "Intel AVX-512 with Intel DL Boost and bfloat16 support$",
    "avx512_core_fp16": "Intel AVX-512 with float16",
    "avx512_core_amx": ".*Intel AMX",
}


@pytest.fixture(scope="module")
def without() -> Iterator[Attempts]:
    """Return a process whose frameworks may use AVX2 at most."""
    made = Attempts(WITHOUT, UNCOMPILED)
    yield made
    made.close()


def test_without_it_the_row_is_unsupported(required: Any, without: Attempts) -> None:
    """In the framework's words, and with what is missing: where it works after all, strike it."""
    for direction in directions_of(required):
        outcome = without.fair_outcome(required, direction)
        assert (direction, outcome.status) == (direction, "unsupported"), outcome.reason
        for need in required.required():
            assert need.words in str(outcome.reason)
            assert f"(needs {need.requires}; " in str(outcome.reason)


def directions_of(required: Any) -> list[str]:
    """Return the directions that are not ruled out on every processor."""
    return [each for each in required.operator.directions() if not required.is_limited(each)]


@pytest.mark.parametrize("limit", ["", "AVX2", "avx2"])
def test_onednn_itself_says_the_same(measured: Framework, limit: str) -> None:
    """It cannot be asked but tells, once it is verbose; so what records say of it is no guess."""
    variables = {name: limit for name in WITHOUT if name.endswith("MAX_CPU_ISA") and limit}
    environ = os.environ | variables | {"DNNL_VERBOSE": "1", "ONEDNN_VERBOSE": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CONVOLUTION[measured.name]],
        env=environ, capture_output=True, text=True, check=True,
    )  # fmt: skip
    answer = re.search(r"info,cpu,isa:(.*)", done.stdout)
    assert answer is not None, done.stdout
    level = level_under(measured.name, environ)
    if level is None:
        pytest.skip("this processor does not name its instruction sets")
    assert re.match(ANSWERS[level], answer[1].strip()), (level, answer[1])


def level_under(framework: str, environ: dict[str, str]) -> str | None:
    """Return the level that a record made under these variables would name."""
    package = {"mxnet": "mxnet_benchmarks.onednn", "pytorch": "pytorch_benchmarks.onednn"}
    module = __import__(f"opperf.{package[framework]}", fromlist=["BUILD"])
    level: str | None = module.BUILD.level(environ)
    return level


def test_what_is_known_exists() -> None:
    """Operators, variants and dtypes are spelled right."""
    from opperf.declaring.registry import find_operator

    for name in ("mxnet", "pytorch"):
        for need in find_framework(name).requirements:
            for operator, variant in need.known:
                kind = find_operator(operator)
                assert set(need.dtypes) & set(kind.dtypes), operator
                assert variant in kind.variants(), operator

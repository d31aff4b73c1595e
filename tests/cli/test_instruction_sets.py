"""What the processor decides, as a user sees it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from opperf.comparing.instruction_sets import notes
from opperf.core.environment.instruction_sets import instruction_sets
from opperf.core.frameworks.registry import find_framework

pytestmark = pytest.mark.skipif(
    not instruction_sets() or not find_framework("mxnet").is_installed(),
    reason="needs MXNet, and a processor that names its instruction sets",
)
RUN = ("run", "--framework", "mxnet", "--dtype", "bfloat16", "--size", "small", "--check-only")
AVX2 = ("--env", "DNNL_MAX_CPU_ISA=AVX2")


def test_what_cannot_be_had_here_is_no_failure(opperf: Any) -> None:
    """Under AVX2 a convolution in bfloat16 is unsupported, with the words and what is missing."""
    done = opperf.run(*RUN, *AVX2, "-k", "name in (Conv2D, Add)")
    assert done.returncode == 0, done.stderr
    (run,) = opperf.runs()
    lines = (run / "results.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    statuses = {
        name: {one["status"] for one in records if one["operator"]["name"] == name}
        for name in ("Conv2D", "Add")
    }
    assert statuses == {"Conv2D": {"unsupported"}, "Add": {"skipped"}}
    for record in records:
        assert record["environment"]["instruction_sets_allowed"]["oneDNN"] in {
            "avx2",
            "avx",
            "sse41",
        }
        if record["status"] == "unsupported":
            assert "could not create a primitive" in record["reason"]
            assert "(needs avx512_core; " in record["reason"]


def test_only_what_is_unsupported_is_12(opperf: Any) -> None:
    """Not 11, which says that something failed."""
    assert opperf.run(*RUN, *AVX2, "-k", "name=Conv2D").returncode == 12


def test_list_says_what_needs_the_processor(opperf: Any) -> None:
    """And that it is missing, where it is."""
    limit = {"DNNL_MAX_CPU_ISA": "AVX2"}
    command = ("list", "-k", "name in (Conv2D, AddReLU, Add)")
    rows = {
        row["name"]: row
        for row in json.loads(opperf.run(*command, "--format", "json", **limit).stdout)
    }
    assert rows["Add"]["needs"] == []
    (need,) = rows["Conv2D"]["needs"]
    assert (need["framework"], need["dtypes"]) == ("mxnet", ["bfloat16"])
    assert need["requires"] == "avx512_core"
    assert need["shortage"].startswith("needs avx512_core; ")
    table = opperf.run(*command, **limit).stdout
    assert "mxnet bfloat16: avx512_core (missing)" in table
    assert "mxnet unfused bfloat16: avx512_core (missing)" in table


@pytest.mark.parametrize("name", ["mxnet", "pytorch", "numpy"])
def test_env_names_what_each_framework_may_use(opperf: Any, name: str) -> None:
    """Beside what the processor has, which is the same for all."""
    if not find_framework(name).is_installed():
        pytest.skip(f"{name} is not installed")
    found = json.loads(opperf.run("env", "--framework", name, "--format", "json").stdout)[name]
    assert found["instruction_sets"] == instruction_sets()
    libraries = {
        "mxnet": {"oneDNN", "OpenBLAS"},
        "pytorch": {"ATen", "oneDNN"},
        "numpy": {"NumPy", "OpenBLAS"},
    }
    assert set(found["instruction_sets_allowed"]) == libraries[name]


def test_a_note_of_instruction_sets_is_one_line(make_result: Any) -> None:
    """Whatever a record calls them."""
    runs = [
        [make_result(environment={"instruction_sets": [name]})] for name in ("avx\n=cmd", "avx2")
    ]
    assert notes(*runs) == [
        "the runs could use different instruction sets: the processor: A avx =cmd, B avx2"
    ]

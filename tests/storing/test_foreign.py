"""Files of other tools: the fixtures have the forms that those tools write."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opperf.core.errors import UsageError
from opperf.storing.foreign.reading import read_foreign

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.core.results.result import Result

AT = 1_780_000_000_000
MXNET = {
    "add": [
        {
            "avg_time_forward_broadcast_add": 4.309,
            "avg_time_backward_broadcast_add": 5.6063,
            "avg_time_mem_alloc_cpu/0": 207618.0469,
            "inputs": {"lhs": [1024, 1024], "rhs": [1024, 1024], "axis": 1},
        }
    ],
    "dot": [{"avg_time_dot": 2.0, "p50_time_dot": 1.5, "p99_time_dot": 9.0, "inputs": {}}],
}
PYTORCH = [
    {
        "test_name": "add_M64_N64_K1_cpu", "input_config": "M: 64, N: 64, K: 1, device: cpu",
        "runtime": "Eager", "run": "Forward", "latency": 12.5, "latency unit": "us",
        "peak memory": 0, "memory unit": "KB", "M": "64", "N": "64", "K": "1", "device": "cpu",
    },
    {
        "test_name": "sum_cuda_bwdall", "run": "Backward", "latency": 30.25,
        "input_config": "shape: [8, 16], device: cuda, dtype: torch.float16",
    },
]  # fmt: skip
DASHBOARD = [
    {
        "benchmark": {
            "name": "PyTorch operator benchmark", "mode": "training", "dtype": "float32",
            "extra_info": {
                "input_config": "M: 1, N: 2, device: cpu", "device": "cpu", "arch": "x86_64",
                "use_compile": True, "operator_name": "mul",
            },
        },
        "model": {"name": "mul_M1_N2_cpu", "type": "micro-benchmark", "origins": ["pytorch"]},
        "metric": {"name": name, "unit": unit, "benchmark_values": [7.5], "target_value": None},
    }
    for name, unit in (("latency", "us"), ("peak memory", "KB"))
]  # fmt: skip
CSV = (
    "Benchmarking Framework,{module},Case Name,tag,run_backward,Execution Time,Peak Memory (KB)\n"
    'PyTorch,add,"add_M64_N64_K1_cpu",short,False,12.5,0\n'
    "PyTorch,bmm,bmm_B8_cpu,short,True,30.25,0\n"
)


def seconds(results: list[Result]) -> list[tuple[str, str, str, float | None]]:
    """Return the name, direction, device and time of each result."""
    return [
        (
            str(result.operator.name), str(result.operator.direction),
            str(result.operator.device), result.seconds,
        )
        for result in results
    ]  # fmt: skip


def near(seconds: float) -> Any:
    """Return what equals a time but for rounding."""
    return pytest.approx(seconds, rel=1e-9)


def test_mxnet_opperf(tmp_path: Path) -> None:
    """Milliseconds, by direction; the median where there is one; memory is no time."""
    path = tmp_path / "mxnet.json"
    path.write_text(json.dumps(MXNET))
    results = read_foreign(path, AT, "box")
    assert seconds(results) == [
        ("add", "forward", "cpu", near(4.309e-3)),
        ("add", "backward", "cpu", near(5.6063e-3)),
        ("dot", "forward", "cpu", near(1.5e-3)),
    ]
    assert [item.shape for item in results[0].inputs] == [(1024, 1024), (1024, 1024)]
    assert results[0].attributes == {"axis": 1}
    assert results[0].environment["machine_key"] == "box"


def test_pytorch_operator_benchmark(tmp_path: Path) -> None:
    """Microseconds; shapes that are lists are inputs, other pairs attributes."""
    path = tmp_path / "pytorch.json"
    path.write_text(json.dumps(PYTORCH))
    first, second = read_foreign(path, AT, "box")
    assert seconds([first, second]) == [
        ("add", "forward", "cpu", near(12.5e-6)),
        ("sum", "backward", "cuda:0", near(30.25e-6)),
    ]
    assert first.attributes == {"M": "64", "N": "64", "K": "1", "runtime": "Eager"}
    assert (second.inputs[0].shape, second.inputs[0].dtype) == ((8, 16), "float16")


def test_pytorch_dashboard(tmp_path: Path) -> None:
    """The other JSON that it writes; memory is left out."""
    path = tmp_path / "dashboard.json"
    path.write_text(json.dumps(DASHBOARD))
    assert seconds(read_foreign(path, AT, "box")) == [("mul", "backward", "cpu", near(7.5e-6))]


@pytest.mark.parametrize("module", ["Benchmarking Module Name", "Benchamrking Module Name"])
def test_pytorch_csv(module: str, tmp_path: Path) -> None:
    """With the header as it is spelled now, and as it was before."""
    path = tmp_path / "pytorch.csv"
    path.write_text(CSV.format(module=module))
    assert seconds(read_foreign(path, AT, "box")) == [
        ("add", "forward", "cpu", near(12.5e-6)),
        ("bmm", "backward", "cpu", near(30.25e-6)),
    ]


def test_the_same_file_gives_the_same_ids(tmp_path: Path) -> None:
    """So that importing it twice stores it once; no two results share one."""
    path = tmp_path / "mxnet.json"
    path.write_text(json.dumps(MXNET))
    first, second = (read_foreign(path, AT, "box") for _ in range(2))
    assert [one.to_json() for one in first] == [one.to_json() for one in second]
    assert len({one.result_id for one in first}) == len(first)


def test_a_file_without_a_date_needs_one(tmp_path: Path) -> None:
    """The date of the file is that of a copy."""
    path = tmp_path / "mxnet.json"
    path.write_text(json.dumps(MXNET))
    with pytest.raises(UsageError, match="does not say when it was measured; give --at DATE"):
        read_foreign(path, None, "box")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", "{}"),
        ("a.json", "[]"),
        ("a.json", "hello"),
        ("a.json", '{"add": [{"avg_time_forward_add": "x", "inputs": {}}]}'),
        ("a.json", '{"add": [{"avg_time_forward_add": -1, "inputs": {}}]}'),
        ("a.json", '{"add": [{"avg_time_forward_add": 0.0}]}'),
        ("a.json", '{"machine_info": {}, "benchmarks": [{}], "datetime": 3}'),
        ("a.json", '[{"test_name": 3, "latency": 4}]'),
        ("a.csv", "x,y\n1,2\n"),
        ("a.csv", "Case Name,run_backward,Execution Time\nadd,False,nan\n"),
        ("a.csv", "Case Name,run_backward,Execution Time\nadd\n"),
    ],
)
def test_a_damaged_file_ends_in_one_line(name: str, content: str, tmp_path: Path) -> None:
    """It names the file; zero is no time."""
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(UsageError) as caught:
        read_foreign(path, AT, "box")
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2)
    ),
    max_leaves=4,
)


def places(document: Any) -> list[tuple[Any, Any]]:
    """Return every place in a document: its container and its key."""
    pairs = document.items() if isinstance(document, dict) else enumerate(document)
    found = []
    for key, value in pairs:
        found.append((document, key))
        if isinstance(value, (dict, list)):
            found += places(value)
    return found


@given(data=st.data())
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
def test_any_value_anywhere_is_read_or_refused(data: st.DataObject, tmp_path: Path) -> None:
    """Nothing but a UsageError, whatever stands in a file of a known form."""
    document = json.loads(json.dumps(data.draw(st.sampled_from([MXNET, PYTORCH, DASHBOARD]))))
    container, key = data.draw(st.sampled_from(places(document)))
    container[key] = data.draw(VALUES)
    path = tmp_path / "any.json"
    path.write_text(json.dumps(document))
    try:
        results = read_foreign(path, AT, "box")
    except UsageError:
        return
    assert all(result.seconds and result.seconds > 0 for result in results)


@given(content=st.binary(max_size=300), name=st.sampled_from(["a.json", "a.csv"]))
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
def test_random_bytes_are_refused(content: bytes, name: str, tmp_path: Path) -> None:
    """With a UsageError that names the file."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UsageError):
        read_foreign(path, AT, "box")

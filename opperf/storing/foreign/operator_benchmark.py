"""What PyTorch's benchmarks/operator_benchmark writes: its JSON, its dashboard's JSON, its CSV.

All times are microseconds per call. The older CSV spells one header "Benchamrking Module Name".
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError
from opperf.storing.foreign.measure import Measure, tensor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

TOOL = "pytorch-operator-benchmark"
MICROSECOND = 1e-6
HEADERS = ("Case Name", "run_backward", "Execution Time")
MODULE = ("Benchmarking Module Name", "Benchamrking Module Name")
PAIR = re.compile(r"([A-Za-z_]\w*): ((?:\[[^\]]*\]|\([^)]*\)|[^,])*)")


def is_ours(document: object) -> bool:
    """Return whether a document has one of the forms."""
    if not isinstance(document, list) or not document or not isinstance(document[0], dict):
        return False
    return {"test_name", "latency"} <= document[0].keys() or is_dashboard(document[0])


def is_dashboard(record: Mapping[str, Any]) -> bool:
    """Return whether a record is one for PyTorch's dashboard."""
    return {"benchmark", "model", "metric"} <= record.keys()


def is_csv(text: str) -> bool:
    """Return whether a text begins with the CSV's headers."""
    first = next(csv.reader(io.StringIO(text[:10_000])), [])
    return set(HEADERS) <= set(first)


def read(document: Sequence[Mapping[str, Any]]) -> Iterator[Measure]:
    """Yield the times of a JSON document."""
    for record in document:
        if is_dashboard(record) and record["benchmark"]["name"] == "opperf":
            raise UsageError("`opperf export` wrote it; import the run itself instead")
        if not is_dashboard(record):
            name, config = record["test_name"], record["input_config"]
            backward, latency = record["run"] == "Backward", record["latency"]
            runtime = record.get("runtime") or record.get("mode")
            yield measure_of(name.split("_")[0], config, runtime, float(latency), backward=backward)
        elif record["metric"]["unit"] == "us":
            extra = record["benchmark"]["extra_info"]
            yield measure_of(
                extra["operator_name"], extra["input_config"],
                "Compile" if extra.get("use_compile") else "Eager",
                float(record["metric"]["benchmark_values"][0]),
                backward="backward" in record["metric"]["name"]
                or record["benchmark"]["mode"] == "training",
            )  # fmt: skip


def read_csv(text: str) -> Iterator[Measure]:
    """Yield the times of a CSV."""
    for row in csv.DictReader(io.StringIO(text)):
        module = next((row[name] for name in MODULE if row.get(name)), row["Case Name"])
        backward = row["run_backward"].strip().lower() in {"true", "1"}
        latency = float(row["Execution Time"])
        yield measure_of(module, row["Case Name"], None, latency, backward=backward)


def measure_of(
    name: str, config: str, runtime: str | None, latency: float, *, backward: bool
) -> Measure:
    """Return one time; the configuration names shapes as lists, and the rest is attributes."""
    given = {match[1]: match[2].strip() for match in PAIR.finditer(config)}
    dtype = given.pop("dtype", "torch.float32").removeprefix("torch.")
    device = given.pop("device", "cpu")
    shapes = {key: re.findall(r"\d+", value) for key, value in given.items() if value[:1] == "["}
    attributes = {key: value for key, value in given.items() if key not in shapes}
    return Measure(
        name=name,
        framework="pytorch",
        direction="backward" if backward else "forward",
        device="cuda:0" if device == "cuda" else device,
        dtype=dtype,
        inputs=tuple(tensor(key, shape, dtype) for key, shape in shapes.items()),
        attributes={
            **attributes,
            **({"runtime": runtime} if runtime else {}),
            **({} if given else {"case": config}),
        },
        seconds=[latency * MICROSECOND],
    )

"""Records of the PyTorch OSS benchmark database, by the types of its columns and its uploader."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from opperf.core.errors import UsageError
from opperf.storing.foreign.reading import read_foreign

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.core.results.result import Result

    Make = Callable[..., Result]
    Document = Callable[..., Any]

FORM = "pytorch-benchmark"
TEXT, WHOLE, NUMBER = {"type": "string"}, {"type": "integer", "minimum": 0}, {"type": "number"}
TEXTS = {"type": "object", "additionalProperties": TEXT}


def columns(required: tuple[str, ...] = (), **types: Any) -> dict[str, Any]:
    """Return the schema of a tuple with named columns; no others are stored."""
    return {
        "type": "object",
        "properties": types,
        "required": [*required],
        "additionalProperties": False,
    }


def each(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a map from names to that."""
    return {"type": "object", "additionalProperties": schema}


ROW = columns(
    required=("timestamp", "schema_version", "benchmark", "model", "metric", "runners",
              "dependencies"),
    timestamp=WHOLE, schema_version={"const": "v3"}, name=TEXT, repo=TEXT, head_branch=TEXT,
    head_sha=TEXT, workflow_id=WHOLE, run_attempt=WHOLE, job_id=WHOLE,
    benchmark=columns(("name",), name=TEXT, mode={"enum": ["training", "inference"]}, dtype=TEXT,
                      extra_info=TEXTS),
    model=columns(("name",), name=TEXT, type=TEXT, backend=TEXT, extra_info=TEXTS,
                  origins={"type": "array", "items": TEXT}),
    metric=columns(("name", "benchmark_values"), name=TEXT, target_value=NUMBER, extra_info=TEXTS,
                   benchmark_values={"type": "array", "minItems": 1, "items": NUMBER}),
    inputs=each(columns(dtype=TEXT, extra_info=TEXTS)),
    dependencies=each(columns(repo=TEXT, branch=TEXT, sha=TEXT, version=TEXT, extra_info=TEXTS)),
    runners={"type": "array", "items": columns(
        name=TEXT, type=TEXT, cpu_info=TEXT, cpu_count=WHOLE, mem_info=TEXT, avail_mem_in_gb=WHOLE,
        gpu_info=TEXT, gpu_count=WHOLE, gpu_mem_info=TEXT, avail_gpu_mem_in_gb=WHOLE,
        extra_info=TEXTS)},
)  # fmt: skip
WORKFLOW = {
    "timestamp": 1, "schema_version": "v3", "name": "nightly", "repo": "example/example",
    "head_branch": "main", "head_sha": "0" * 40, "workflow_id": 1, "run_attempt": 1, "job_id": 2,
}  # fmt: skip


def uploaded(document: Any) -> list[dict[str, Any]]:
    """Return the rows that the uploader makes of a file: records with a metric, over its own."""
    own: dict[str, Any] = {**WORKFLOW, "runners": [], "dependencies": {}}
    return [{**own, **record} for record in document if "metric" in record]


def test_every_record_fits_the_columns(
    make: Make, document: Document, machine: dict[str, Any]
) -> None:
    """Texts where texts are stored, no other columns; when it was measured is the record's own."""
    results = [
        make(environment=machine, fused=True),
        make(direction="backward", precision=None, shapes=()),
        make(device="cuda:0", environment={**machine, "gpu": ["NVIDIA A100"]}),
    ]
    rows = uploaded(document(FORM, *results))
    for row in rows:
        jsonschema.validate(row, ROW)
    assert [row["benchmark"]["mode"] for row in rows] == ["inference", "training", "inference"]
    assert {row["timestamp"] for row in rows} == {1_795_219_200}
    assert rows[0]["benchmark"]["extra_info"]["fused"] == "true"
    assert rows[0]["inputs"]["lhs"] == {"dtype": "float32", "extra_info": {"shape": "(1024,1024)"}}
    assert rows[0]["dependencies"]["mxnet"] == {"version": "1.9.1"}
    assert "torch" not in rows[0]["dependencies"]
    assert rows[0]["runners"][0]["avail_mem_in_gb"] == 8
    assert rows[0]["runners"][0]["type"] == "AMD EPYC 9B14"
    assert (rows[2]["runners"][0]["name"], rows[2]["runners"][0]["type"]) == ("cuda", "NVIDIA A100")


def test_the_metric_is_the_median_in_microseconds(make: Make, document: Document) -> None:
    """As the database keeps it, in 32 bits; without an interval there are no ends."""
    exact, wide = document(FORM, make(seconds=31.25e-6), make(precision=None, status="noisy"))
    assert exact["metric"]["benchmark_values"] == [31.25]
    (kept,) = struct.unpack("f", struct.pack("f", exact["metric"]["benchmark_values"][0]))
    assert kept == 31.25
    assert exact["metric"]["extra_info"] == {
        "unit": "us", "low": "31.125", "high": "31.375", "samples": "40", "status": "ok",
        "reliable": "true", "result_id": "Dot-mxnet-forward",
    }  # fmt: skip
    assert "low" not in wide["metric"]["extra_info"]
    assert wide["metric"]["extra_info"]["reliable"] == "false"
    assert not any("target_value" in record["metric"] for record in (exact, wide))


def test_what_was_exported_is_not_taken_for_pytorch_s_own(
    make: Make, document: Document, tmp_path: Path
) -> None:
    """It is another tool's record of MXNet, and would be stored as PyTorch's."""
    path = tmp_path / "exported.json"
    path.write_text(json.dumps(document(FORM, make())))
    with pytest.raises(UsageError, match="`opperf export` wrote it; import the run itself"):
        read_foreign(path, 1_780_000_000_000, "box")

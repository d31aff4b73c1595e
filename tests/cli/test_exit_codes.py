"""What a run amounts to, beside what tests/faults shows of operators that fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path


def test_an_operator_without_an_integer_form_is_unsupported(opperf: Any) -> None:
    """A row with its reason, not an error; alone it is a selection of nothing: exit 12."""
    chosen = ("-k", "name=Exp", "--framework", "numpy", "--dtype", "int32", "--size", "small")
    run = opperf.run("run", *chosen)
    assert run.returncode == 12
    (record,) = opperf.records()
    assert record["status"] == "unsupported"
    assert record["reason"].startswith("Exp has no int32 form; it has: float64, ")
    assert record["reason"] in run.stdout


def test_beside_an_operator_with_one_it_is_no_failure(opperf: Any) -> None:
    """Add has an integer form, so the run is fine."""
    run = opperf.run(
        "run", "-k", "name in (Add, Exp)", "--framework", "numpy", "--dtype", "int32",
        "--size", "small", "--runs", "6",
    )  # fmt: skip
    assert run.returncode == 0
    assert [r["status"] for r in opperf.records()][-1] == "unsupported"


@pytest.mark.parametrize("filter_text", ["nothing-like-this", "name=Add and category=gemm"])
def test_a_filter_that_matches_nothing_exits_12(
    call: Any, tmp_path: Path, filter_text: str
) -> None:
    """It is valid, so this is no usage error; nothing is written."""
    run = call("run", "-k", filter_text, "--framework", "numpy")
    assert run.returncode == 12
    assert run.stderr == f"opperf: nothing matches {filter_text!r} on numpy\n"
    assert list(tmp_path.iterdir()) == []

"""Tests of models in children of their own: whatever becomes of one, the next is measured."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from opperf.core.errors import UsageError
from opperf.measuring.campaign import Labels
from opperf.measuring.worker.handle import Limits
from opperf.measuring.worker.protocol import decode, encode
from opperf.networks.measuring.child import ModelMeasurer
from opperf.specs.measuring.campaign import measure_tests
from opperf.specs.measuring.child import SpecMeasurer
from opperf.specs.measuring.parts import SpecInput
from tests.specs.measuring.conftest import TWO, make_task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.result import Result
    from opperf.measuring.children.patience import PatienceMeasurer
    from opperf.specs.measuring.task import SpecTask


def results_of(tasks: Sequence[SpecTask], **given: object) -> list[Result]:
    """Return the results of tests, measured in children."""
    return [*measure_tests(tasks, **{"weigh": False, **given})]  # type: ignore[arg-type]


def test_what_becomes_of_one_test_is_its_own() -> None:
    """Crash, time-out, out of memory and a loader's error are records, and the last is measured."""
    pytest.importorskip("torch")
    models = ("dying", "hanging", "greedy", "raising", "perceptron")
    meta = {"commit": "abc123", "run_type": "verify", "device_hash": "77"}
    tasks = [make_task("pytorch", model, meta=meta, profile=False) for model in models]
    for timeout in (3.0, 30.0):  # until the others take no longer on this machine
        limits = Limits(timeout=timeout)
        found = results_of(tasks, limits=limits, labels=Labels(run_id="r", tags=("a",)))
        if [result.status for result in found].count("timeout") == 1:
            break
    assert [result.status for result in found[:4]] == [
        "crashed", "timeout", "out_of_memory", "failed",
    ]  # fmt: skip
    assert "last words" in str(found[0].stderr)
    assert found[1].reason == f"no answer within {timeout:g} s"
    assert found[4].status in ("ok", "noisy")
    assert all(result.meta == meta for result in found)
    assert {(result.run_id, result.tags) for result in found} == {("r", ("a",))}
    assert len({result.series_key for result in found}) == len(models)


def test_meta_tells_no_series_from_another() -> None:
    """A commit's records go on with those of the one before."""
    pytest.importorskip("torch")
    tasks = [
        make_task("pytorch", "add", [SpecInput(name=name, shape=(2, 3)) for name in ("a", "b")],
                  metric="delay", meta={"commit": commit}, profile=False)
        for commit in ("one", "two")
    ]  # fmt: skip
    first, second = results_of(tasks)
    assert (first.meta["commit"], second.meta["commit"]) == ("one", "two")  # type: ignore[index]
    assert first.series_key == second.series_key
    assert first.definition_key == second.definition_key
    assert first.to_mapping()["meta"] == {"commit": "one"}


def test_memory_grows_with_what_an_inference_takes(framework: str) -> None:
    """Outputs by their bytes; what an inference has beside them by those of what is between."""
    tasks = [
        make_task(framework, "add", [replace(tensor, shape=(rows, 3)) for tensor in TWO],
                  identifier=f"{rows} rows", profile=False)
        for rows in (2**18, 2**19)
    ]  # fmt: skip
    one, two = (result.memory for result in results_of(tasks, weigh=True))
    assert one.outputs == pytest.approx(2**18 * 3 * 4, rel=0.1)
    assert two.outputs == pytest.approx(2 * one.outputs, rel=0.1)  # type: ignore[operator]
    if framework == "pytorch":  # MXNet computes the sum where the product is
        grown = two.workspace - one.workspace  # type: ignore[operator]
        assert grown == pytest.approx(one.outputs, rel=0.1)


def test_an_unknown_metric_and_missing_golden_outputs_are_refused() -> None:
    """Before anything is started."""
    with pytest.raises(UsageError, match="unknown metric 'dely' of test 'add_0'; did you mean"):
        make_task("pytorch", "add", metric="dely")
    with pytest.raises(UsageError, match="compares with golden outputs, and there are none"):
        make_task("pytorch", "add", metric="error")


@pytest.mark.parametrize("kind", [SpecMeasurer, ModelMeasurer])
def test_patience_has_a_bound(kind: type[PatienceMeasurer]) -> None:
    """A test of a billion inferences asks for no more time than the protocol knows.

    Nor does a network of which a step takes a year.
    """
    said: list[tuple[str, dict[str, object]]] = []
    measurer = kind()
    measurer.answer = lambda event, **fields: said.append((event, fields))
    measurer.tell(1e9)
    ((event, fields),) = said
    assert decode(encode("0" * 16, event, **fields))


@pytest.mark.parametrize("program", ["child", "arm", "memory_child"])
def test_a_child_imports_little(program: str) -> None:
    """The standard library, NumPy and, once it is asked to, a framework."""
    heavy = "msgspec psutil regex sqlalchemy torch mxnet"
    code = (
        f"import sys, opperf.specs.measuring.{program}; "
        f"print(*set('{heavy}'.split()) & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"

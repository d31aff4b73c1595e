"""A model's test: compared before it is timed, and what is timed is the inference alone."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.cli.specs.run import saving
from opperf.core.checking.correctness import Outputs
from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import find_framework
from opperf.core.timing.measure import measure as take_samples
from opperf.specs.measuring.arrays import array_of, save_arrays_in
from opperf.specs.measuring.checks import SpecChecks
from opperf.specs.measuring.golden import GoldenOutputs
from opperf.specs.measuring.opening import open_inference
from opperf.specs.measuring.parts import SpecInput
from tests.specs.measuring.conftest import ONE, SETTINGS, TWO, make_task

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.core.results.result import Result

    Measure = Callable[..., Result]


def values(result: Result) -> dict[str, Any]:
    """Return the values of a record's metrics by name."""
    return {metric.name: metric.value for metric in result.metrics}


def golden_sum(folder: Path, change: Callable[[Any], Any] = lambda array: array) -> dict[str, str]:
    """Write what `add` returns, changed in some way, and return it as golden outputs."""
    data, other = (array_of(tensor, 0) for tensor in TWO)
    path = folder / "golden.npy"
    np.save(path, change(data * np.float32(2) + other))
    return {"0": str(path)}


def test_a_test_has_a_delay_and_what_belongs_to_it(measure: Measure) -> None:
    """Samples with an interval, throughput by the batch, and the delay of each operator."""
    found = measure("perceptron", batch=2)
    assert found.status in ("ok", "noisy")
    assert (found.subject.kind, found.subject.name) == ("spec", "perceptron")  # type: ignore[union-attr]
    assert found.summary.n == 6  # type: ignore[union-attr]
    assert found.samples.iterations == 1  # type: ignore[union-attr] # each inference by itself
    metrics = values(found)
    assert metrics["throughput"] == pytest.approx(2 / found.seconds)  # type: ignore[operator]
    operators = {name: value for name, value in metrics.items() if name.startswith("operator/")}
    assert len(operators) >= 2
    assert 0 < sum(operators.values()) <= metrics["profiled"] * 1.1
    assert found.correctness is None


def test_what_is_timed_is_the_inference_alone(
    framework: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a copy to the host or the device; in PyTorch evaluated, and without a graph."""
    here = find_framework(framework)
    inference = open_inference(make_task(framework, "add", TWO), here)
    for name in ("array", "tensor"):
        monkeypatch.setattr(here, name, lambda *_, **__: pytest.fail("copied"))
    take_samples(inference.work(), SETTINGS, first_call=1e-3)
    if framework == "pytorch":
        module = inference.step.func  # type: ignore[attr-defined]
        assert len(module.seen) > SETTINGS.runs
        assert set(module.seen) == {(False, False)}


def test_a_sample_lasts_until_the_device_is_idle(framework: str) -> None:
    """What the device still has to do when the call returns belongs to the delay."""
    here, moments = find_framework(framework), []
    inference = open_inference(make_task(framework, "add", TWO), here)
    device = replace(inference.device, synchronize=lambda: moments.append("awaited"))
    work = replace(inference, device=device, step=lambda: moments.append("called")).work()
    work.time(1)
    assert moments == ["awaited", "called", "awaited"]


def test_golden_outputs_are_met(measure: Measure, tmp_path: Path) -> None:
    """To the last digits; the errors stand beside the delay."""
    found = measure("add", TWO, golden=golden_sum(tmp_path))
    assert found.status in ("ok", "noisy")
    assert found.correctness.reference == "golden outputs"  # type: ignore[union-attr]
    assert values(found)["error"] <= 1e-6
    assert values(found)["relative_error"] <= 1e-5


def test_the_error_alone_takes_no_time(measure: Measure, tmp_path: Path) -> None:
    """A test of this metric compares, and is right without samples."""
    found = measure("add", TWO, metric="error", golden=golden_sum(tmp_path, lambda one: one + 1e-6))
    assert (found.status, found.samples, found.seconds) == ("skipped", None, None)
    assert 5e-7 <= values(found)["error"] <= 2e-6


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda one: np.where(one == one.max(), one + 1, one), "1 of 6 values are too far"),
        (lambda one: one[:, :2], "has shape (2, 3), golden is (2, 2)"),
        (lambda one: one.astype("float64"), "is of float32, golden is of float64"),
        (lambda one: np.where(one == one.max(), np.nan, one), "has NaN, which equals nothing"),
        (lambda one: np.where(one == one.max(), np.inf, one), "differs from golden in its inf"),
    ],
)
def test_a_wrong_result_is_never_a_time(
    measure: Measure, tmp_path: Path, change: Callable[[Any], Any], said: str
) -> None:
    """Golden outputs of other values, another shape, another element type."""
    found = measure("add", TWO, golden=golden_sum(tmp_path, change))
    assert said in str(found.reason)
    assert found.status == ("failed" if "NaN" in said else "wrong_result")
    assert (found.samples, found.summary, found.seconds) == (None, None, None)


def test_tolerances_of_a_test_hold(measure: Measure, tmp_path: Path) -> None:
    """An error is right by them, and wrong by narrower ones; it is stated either way."""
    golden = golden_sum(tmp_path, lambda one: one * np.float32(1.01))
    wide = measure("add", TWO, golden=golden, rtol=0.02, atol=0.0)
    assert wide.status in ("ok", "noisy")
    narrow = measure("add", TWO, golden=golden, rtol=0.005, atol=0.0)
    assert narrow.status == "wrong_result"
    assert values(narrow)["relative_error"] == pytest.approx(0.01, rel=0.1)
    assert values(narrow)["error"] == values(wide)["error"] > 0


def test_there_must_be_an_output_of_the_name(measure: Measure, tmp_path: Path) -> None:
    """A golden output beyond those of the model."""
    golden = {"2": golden_sum(tmp_path)["0"]}
    found = measure("add", TWO, golden=golden)
    assert found.reason == "there is no output '2': the model has 1"


def test_both_frameworks_compute_on_the_same() -> None:
    """One's outputs are the other's golden ones."""
    if not all(find_framework(name).is_installed() for name in ("pytorch", "mxnet")):
        pytest.skip("one of them is not installed")
    outputs = {
        name: open_inference(make_task(name, "add", TWO), find_framework(name)).outputs()
        for name in ("pytorch", "mxnet")
    }
    assert np.array_equal(outputs["pytorch"][0], outputs["mxnet"][0])


@pytest.mark.parametrize("framework", ["pytorch"], indirect=True)
@pytest.mark.parametrize(
    ("model", "status", "said"),
    [
        ("nothing", "wrong_result", "16 of 16 outputs are NaN or infinite"),
        ("greedy", "out_of_memory", "allocate"),
        ("raising", "failed", "no such weights"),
        ("changing", "wrong_result", "right at first, wrong after some"),
        ("missing", "failed", "missing"),
    ],
)
def test_what_goes_wrong_is_a_record(
    measure: Measure, tmp_path: Path, model: str, status: str, said: str
) -> None:
    """With its state and a reason of one line."""
    golden = {}
    if model == "changing":
        np.save(tmp_path / "golden.npy", array_of(ONE[0], 0) * np.float32(2))
        golden = {"0": str(tmp_path / "golden.npy")}
    found = measure(model, golden=golden)
    assert found.status == status, found.reason
    assert said in str(found.reason)
    assert len(str(found.reason).splitlines()) == 1
    assert found.seconds is None


def test_inputs_of_a_file_are_those_of_the_specification(measure: Measure, tmp_path: Path) -> None:
    """Their values are taken; another shape or element type is refused."""
    path = tmp_path / "data.npy"
    np.save(path, np.full((2, 3), 4, np.float32))
    tensors = (replace(TWO[0], file=str(path)), TWO[1])
    golden = {"0": str(tmp_path / "golden.npy")}
    np.save(golden["0"], 8 + array_of(TWO[1], 0))
    assert measure("add", tensors, golden=golden, metric="error").status == "skipped"
    found = measure("add", (replace(tensors[0], dtype="float64"), TWO[1]))
    assert found.status == "failed"
    assert "has float32 of shape (2, 3), the specification says float64" in str(found.reason)


def test_whole_numbers_lie_below_what_is_said() -> None:
    """Rows of a table are looked up by them."""
    one = SpecInput(name="rows", shape=(1000,), dtype="int64", below=7)
    assert set(array_of(one, 0).tolist()) == {*range(7)}
    assert set(array_of(replace(one, below=None), 0).tolist()) == {0, 1}
    assert array_of(one, 0).tolist() != array_of(one, 1).tolist()


def test_no_pickle_is_read(measure: Measure, tmp_path: Path) -> None:
    """An array of objects would run code."""
    path = tmp_path / "golden.npy"
    np.save(path, np.array([print], dtype=object), allow_pickle=True)
    found = measure("add", TWO, golden={"0": str(path)})
    assert found.status == "failed"
    assert "golden.npy is no .npy file of numbers" in str(found.reason)


def test_saved_outputs_are_golden_ones(measure: Measure, tmp_path: Path) -> None:
    """A file an output, right to the last digit; nothing is timed."""
    folder = tmp_path / "outputs"
    saved = measure("perceptron", save=str(folder), metric="error", golden={"0": "later"})
    assert saved.status == "failed"  # what is to be compared with is not there
    saved = measure("perceptron", save=str(folder), check_only=True)
    assert (saved.status, saved.samples) == ("skipped", None)
    assert [path.name for path in folder.iterdir()] == ["0.npy"]
    assert np.load(folder / "0.npy").shape == (2, 4)
    found = measure("perceptron", metric="error", golden={"0": str(folder / "0.npy")})
    assert (found.status, values(found)["error"]) == ("skipped", 0.0)


def test_no_output_is_saved_over_another(tmp_path: Path) -> None:
    """Names that would be one file have their positions."""
    arrays = [np.zeros(1), np.ones(1)]
    for names, files in (
        (["a/b", "c"], ["a_b", "c"]), (["a/b", "a_b"], ["0", "1"]), ([], ["0", "1"]),
    ):  # fmt: skip
        folder = tmp_path / str(len(names)) / "-".join(files)
        save_arrays_in(folder, arrays, names)
        found = {path.stem: float(np.load(path)[0]) for path in folder.glob("*.npy")}
        assert found == dict(zip(files, (0.0, 1.0), strict=True))


@pytest.mark.parametrize("framework", ["pytorch"], indirect=True)
def test_nan_is_wrong_beside_any_golden_value(measure: Measure, tmp_path: Path) -> None:
    """However wide the tolerances are."""
    np.save(tmp_path / "golden.npy", np.zeros((2, 8), np.float32))
    golden = {"0": str(tmp_path / "golden.npy")}
    found = measure("nothing", golden=golden, rtol=1e300, atol=1e300)
    assert found.status == "wrong_result"
    assert "is NaN or infinite in 16 of 16 values where golden is finite" in str(found.reason)


@pytest.mark.parametrize("framework", ["pytorch"], indirect=True)
def test_wrong_outputs_are_not_saved(measure: Measure, tmp_path: Path) -> None:
    """Nobody compares with NaN."""
    found = measure("nothing", save=str(tmp_path / "outputs"), check_only=True)
    assert found.status == "wrong_result"
    assert not [*tmp_path.iterdir()]


def test_each_test_has_a_folder_of_its_own(tmp_path: Path) -> None:
    """Two frameworks would write over each other, and what is there is left alone."""
    both = [make_task(name, "add", TWO) for name in ("pytorch", "mxnet")]
    with pytest.raises(UsageError, match="pytorch and mxnet would both write add_0"):
        saving(both, tmp_path)
    (one,) = saving([make_task("pytorch", "add", TWO, identifier="../a b")], tmp_path)
    assert one.save == str(tmp_path / "_a_b")
    (tmp_path / "_a_b").mkdir()
    with pytest.raises(UsageError, match="_a_b exists; remove it"):
        saving([make_task("pytorch", "add", TWO, identifier="../a b")], tmp_path)


def test_inputs_are_taken_by_name_or_as_listed(measure: Measure, tmp_path: Path) -> None:
    """In another order by their names; under names of nobody's in their order; else refused."""
    golden = golden_sum(tmp_path)
    turned = measure("add", TWO[::-1], golden=golden, metric="error")
    assert turned.status == "skipped", turned.reason
    drawn = {tensor.name: tmp_path / f"{tensor.name}.npy" for tensor in TWO}
    for tensor in TWO:
        np.save(drawn[tensor.name], array_of(tensor, 0))
    unnamed = [
        replace(tensor, name=name, file=str(drawn[tensor.name]))
        for name, tensor in zip("ab", TWO, strict=True)
    ]
    assert measure("add", unnamed, golden=golden, metric="error").status == "skipped"
    found = measure("add", [TWO[0], replace(TWO[1], name="othre")])
    assert (found.status, "othre" in str(found.reason)) == ("failed", True)


def test_an_error_beside_zero_has_no_share(measure: Measure, tmp_path: Path) -> None:
    """What is divided by zero is no number, and the record says why."""
    golden = golden_sum(tmp_path, lambda one: one * np.float32(0))
    found = measure("add", TWO, golden=golden, atol=100.0, metric="error")
    assert found.status == "skipped", found.reason
    (relative,) = [metric for metric in found.metrics if metric.name == "relative_error"]
    assert (relative.value, relative.reason) == (None, "a golden value is zero and its output not")
    assert values(found)["error"] > 0


@pytest.mark.parametrize(
    ("golden", "actual", "said"),
    [
        ([True, False], [True, True], "is 1 where golden is 0"),
        ([2**60, 3], [2**60 + 1, 3], "1 of 2 values are too far"),
        ([1 + 1j, 2j], [1 + 1j, 2.5j], "1 of 2 values are too far"),
        ([1.0, np.inf], [1.0, np.inf], None),
        ([1.0, np.inf], [np.inf, np.inf], "is NaN or infinite in 1 of 2 values"),
        ([], [], None),
    ],
)
def test_each_kind_of_number_is_compared(
    golden: list[Any], actual: list[Any], said: str | None
) -> None:
    """Truth values and whole numbers exactly, also beyond what a float holds."""
    arrays = np.array(golden), np.array(actual)
    found = GoldenOutputs({"0": arrays[0]}).compare(Outputs([arrays[1]], [str(arrays[1].dtype)]))
    assert (found.fault is None) if said is None else (said in str(found.fault))


def test_an_output_without_a_golden_one_is_finite() -> None:
    """That one output is right says nothing of the next."""
    right, nothing = np.ones(2), np.array([1.0, np.nan])
    outputs = Outputs([right, nothing], ["float64", "float64"])
    inference: Any = SimpleNamespace(outputs=lambda: outputs)
    found = SpecChecks(inference=inference, golden=GoldenOutputs({"0": right})).judge()
    assert found.fault == "1 of 2 outputs are NaN or infinite"
    both = GoldenOutputs({"0": right, "1": np.ones(2)})
    assert "output '1' is NaN" in str(SpecChecks(inference=inference, golden=both).judge().fault)

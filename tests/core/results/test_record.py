"""Putting a record together, and the keys by which records belong together."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from opperf import __version__
from opperf.core.checking.correctness import Comparison
from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.registry import find_framework
from opperf.core.results.outcome import Outcome, rate
from opperf.core.results.parts import WarningRecord
from opperf.core.results.reading import from_mapping
from opperf.core.results.record import assemble, now
from opperf.core.roofline.peaks import Bandwidth, Peaks
from opperf.core.roofline.peaks_file import store_peaks
from opperf.core.statistics.summary import summarize
from opperf.core.statistics.warning import MeasurementWarning
from opperf.core.timing.measure import Samples
from opperf.declaring.description import describe
from opperf.operators.arithmetic.arithmetic import Add
from opperf.operators.fused.residual import AddReLU

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.core.frameworks.variant import Variant
    from opperf.core.results.outcome import Subject
    from opperf.core.results.result import Result
    from opperf.declaring.declaration import Declaration

ENVIRONMENT = {"cpu": "A CPU", "gpu": None, "framework_version": "1.0"}
SAMPLES = Samples(
    seconds=(1e-3, 2e-3, 3e-3, 1e-3, 2e-3, 3e-3),
    iterations=10,
    first_call=0.5,
    loop_overhead=1e-6,
    method="interval",
    stop_reason="runs",
    steady=True,
)
MEASURED = Outcome(
    status="ok",
    comparison=Comparison(1e-7, 2e-7),
    gradient_kind="closed_form",
    method="prepared_graphs",
    samples=SAMPLES,
    summary=summarize(SAMPLES.times()),
    warnings=(MeasurementWarning("imprecise", "stopped at 50 %"),),
)


@pytest.fixture
def subject() -> Subject:
    """Return a small addition, described for NumPy."""
    return describe(Add(size="small"), find_framework("numpy"), "cpu", Settings(), "only")


HERE: dict[str, str | None] = {**ENVIRONMENT, "machine_key": "0123456789abcdef"}


@pytest.fixture
def peaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this machine's bandwidth measured: 5 GB/s."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    copy = Bandwidth(
        device="cpu", threads=1, nbytes=2**20, kind="copy", way="numpy.copyto", rate=5e9
    )
    store_peaks(
        Peaks(
            machine_key=str(HERE["machine_key"]), measured_at=now(), bandwidths=(copy,), products=()
        )
    )


def described(operator: Declaration, *, variant: Variant = "only") -> Subject:
    """Return what is measured, on PyTorch."""
    return describe(operator, find_framework("pytorch"), "cpu", Settings(), variant)


def record_of(
    subject: Subject,
    direction: str = "forward",
    outcome: Outcome = MEASURED,
    environment: dict[str, str | None] = ENVIRONMENT,
) -> Result:
    """Return the record of these."""
    return from_mapping(assemble(subject, direction, outcome, environment, now()))


def test_samples_are_kept_raw_and_in_order(subject: Subject) -> None:
    """What was read from the clock is stored, not only what was made of it."""
    samples = record_of(subject).samples
    assert samples is not None
    assert samples.seconds == SAMPLES.seconds
    assert (samples.iterations, samples.null, samples.first_call) == (10, 1e-6, 0.5)


def test_the_summary_is_per_iteration_and_net(subject: Subject) -> None:
    """The median is that of the seconds over the iterations, less the overhead of the loop."""
    result = record_of(subject)
    assert result.seconds == pytest.approx(2e-4 - 1e-6)
    assert result.summary is not None
    assert result.summary.warnings == (WarningRecord(code="imprecise", message="stopped at 50 %"),)
    assert result.summary.stop_reason == "runs"


def test_rates_are_counts_over_the_median(subject: Subject) -> None:
    """FLOP and bytes a second follow from the declaration's counts."""
    result = record_of(subject)
    assert (result.flop_count, result.byte_count) == (64 * 64, 3 * 64 * 64 * 4)
    assert result.flop_rate == pytest.approx(64 * 64 / (2e-4 - 1e-6))
    assert result.byte_rate == pytest.approx(3 * 64 * 64 * 4 / (2e-4 - 1e-6))


@pytest.mark.parametrize("seconds", [None, 0.0, -1e-9])
def test_there_is_no_rate_without_a_positive_time(seconds: float | None) -> None:
    """Nothing is divided by nothing."""
    assert rate(100, seconds) is None
    assert rate(None, 1.0) is None


def test_an_outcome_without_a_time_has_none_in_its_record(subject: Subject) -> None:
    """What was not measured is None throughout, and the reason is told."""
    result = record_of(subject, outcome=Outcome(status="failed", reason="RuntimeError: no"))
    assert (result.status, result.reason) == ("failed", "RuntimeError: no")
    fields = (result.samples, result.summary, result.flop_rate, result.byte_rate)
    assert (*fields, result.correctness, result.seconds) == (None,) * 6


def test_a_direction_tells_its_mode_and_method(subject: Subject) -> None:
    """Only the forward is inference, and only a backward has a method."""
    operators = {
        direction: record_of(subject, direction).operator
        for direction in ("forward", "forward_recorded", "backward", "forward_backward")
    }
    assert [fields.mode for fields in operators.values()] == ["inference"] + ["training"] * 3
    methods = [fields.backward_method for fields in operators.values()]
    assert methods == [None, None, "prepared_graphs", "prepared_graphs"]


def test_a_record_says_what_was_compared(subject: Subject) -> None:
    """The errors against the reference stand beside the time."""
    correctness = record_of(subject, "backward").correctness
    assert correctness is not None
    assert correctness.max_abs_error == 1e-7
    assert correctness.max_rel_error == 2e-7
    assert correctness.gradients == "closed_form"


def test_a_record_is_json_and_names_its_maker(subject: Subject) -> None:
    """Every record can be written, says which opperf made it, and has an identity of its own."""
    first, second = record_of(subject), record_of(subject)
    assert json.loads(first.to_json())["opperf_version"] == __version__
    assert first.result_id != second.result_id


def test_the_series_is_the_same_thing_whatever_the_version(subject: Subject) -> None:
    """Versions and sizes by name do not matter; operator, inputs, threads and machine do."""
    key = record_of(subject).series_key
    newer = {**ENVIRONMENT, "framework_version": "2.0"}
    assert record_of(subject, environment=newer).series_key == key
    renamed = replace(subject, operator={**subject.operator, "size": None})
    assert record_of(renamed).series_key == key
    others = [
        record_of(subject, "backward"),
        record_of(subject, environment={**ENVIRONMENT, "cpu": "Another"}),
        record_of(replace(subject, threads=2)),
        record_of(replace(subject, attributes={"axis": 1})),
        record_of(replace(subject, inputs=[{"name": "lhs", "shape": [1], "dtype": "int8"}])),
        record_of(replace(subject, operator={**subject.operator, "framework": "mxnet"})),
    ]
    assert len({key, *(result.series_key for result in others)}) == len(others) + 1


def test_the_definition_is_the_same_meaning_whatever_the_machine(subject: Subject) -> None:
    """The machine and the framework do not matter; declaration and way of measuring do."""
    key = record_of(subject).definition_key
    assert record_of(subject, environment={**ENVIRONMENT, "cpu": "Another"}).definition_key == key
    elsewhere = replace(subject, operator={**subject.operator, "framework": "mxnet"})
    assert record_of(elsewhere).definition_key == key
    others = [
        record_of(subject, "backward"),
        record_of(subject, outcome=replace(MEASURED, method="subtraction")),
        record_of(replace(subject, seed=1)),
        record_of(replace(subject, definition={**subject.definition, "flop_count": 1})),
    ]
    assert len({key, *(result.definition_key for result in others)}) == len(others) + 1


def test_a_fused_operator_names_its_parts(peaks: None) -> None:
    """By the series in which each is stored when it is measured as an operator of its own."""
    del peaks
    whole = AddReLU(size="small")
    fused = record_of(described(whole, variant="fused"), environment=HERE).fusion
    assert fused is not None
    alone = [record_of(described(part), environment=HERE).series_key for part in whole.parts()]
    assert [*fused.parts] == alone
    assert fused.kernels is None
    assert record_of(described(Add(size="small")), environment=HERE).fusion is None


def test_what_the_parts_hand_on_is_saved_in_inference_only(peaks: None) -> None:
    """A sum of 64x64 elements of 4 bytes, written and read, at the bandwidth over as many bytes."""
    del peaks
    subject = described(AddReLU(size="small"), variant="fused")
    found = record_of(subject, environment=HERE).fusion
    assert found is not None
    assert (found.traffic_bytes, found.bandwidth) == (2 * 64 * 64 * 4, 5e9)
    for direction in ("forward_recorded", "backward", "forward_backward"):
        training = record_of(subject, direction, environment=HERE).fusion
        assert training is not None
        assert (training.traffic_bytes, training.bandwidth) == (None, None)


def test_without_peaks_there_is_no_bandwidth() -> None:
    """What is saved is known all the same."""
    subject = described(AddReLU(size="small"), variant="fused")
    found = record_of(subject, environment={**HERE, "machine_key": "never-measured"}).fusion
    assert found is not None
    assert (found.traffic_bytes, found.bandwidth) == (2 * 64 * 64 * 4, None)

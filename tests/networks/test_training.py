"""A network's step: what is timed, what is checked before, what stands in its record."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.configuration.settings import PLAIN, Settings
from opperf.core.frameworks.device import Device
from opperf.networks.data.request import DataRequest
from opperf.networks.discovery import Entry
from opperf.networks.measuring.metrics import (
    data_warning,
    phase_metrics,
    phase_samples,
    throughput,
)
from opperf.networks.measuring.sanity import MOST_STEPS
from opperf.networks.measuring.stepping import Stepper
from opperf.networks.request import ModelRequest, attributes_of, request_from
from tests.networks.conftest import MORE

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.results.result import Result

TRAINED = ["forward", "backward", "update"]


def values(result: Result) -> dict[str, float | None]:
    """Return a record's metrics."""
    return {metric.name: metric.value for metric in result.metrics}


def test_deep_mnist_is_trained_on_the_cpu(measure: Callable[..., Result]) -> None:
    """Its throughput is of the step as a whole, its phases each have a time."""
    result = measure("deep_mnist", size=8)
    assert result.status in ("ok", "noisy"), result.reason
    assert result.subject is not None
    assert (result.subject.kind, result.operator.direction) == ("network", "forward_backward")
    found = values(result)
    assert result.seconds is not None
    assert found["throughput"] == pytest.approx(2 / result.seconds)
    assert all(found[name] for name in TRAINED)
    assert found["data"] is found["host_to_device"] is None
    assert found["loss"] < found["first_loss"]  # type: ignore[operator]
    assert result.samples is not None
    assert (len(result.samples.seconds), result.samples.iterations) == (6, 1)
    assert result.samples.stop_reason == "runs"


def test_inference_has_a_forward_alone(measure: Callable[..., Result]) -> None:
    """And says why the rest has no time."""
    result = measure("deep_mnist", size=8, forward_only=True)
    assert result.operator.direction == "forward"
    assert values(result)["forward"]
    reasons = {metric.name: metric.reason for metric in result.metrics}
    assert reasons["backward"] == reasons["update"] == "inference"
    assert result.attributes["of"] == "inference step"


def test_batches_that_are_drawn_are_timed_apart(measure: Callable[..., Result]) -> None:
    """They are waited for, and brought to the device."""
    found = values(measure("small", data=DataRequest(resident=False)))
    assert found["data"]
    assert found["host_to_device"]
    parts = ("data", "host_to_device", *TRAINED)
    assert found["phases"] is not None
    assert all(found[name] <= found["phases"] for name in parts)  # type: ignore[operator]


def test_numbers_that_are_not_finite_are_wrong(measure: Callable[..., Result]) -> None:
    """No time is taken."""
    trained, inferred = measure("nothing"), measure("nothing", forward_only=True)
    assert (trained.status, trained.reason) == ("wrong_result", "the loss is not finite")
    assert (inferred.status, inferred.reason) == ("wrong_result", "6 of 6 outputs are not finite")
    assert trained.seconds is inferred.seconds is None


def test_a_loss_that_does_not_fall_is_wrong(measure: Callable[..., Result]) -> None:
    """However finite it is."""
    result = measure("deaf")
    assert result.status == "wrong_result"
    assert str(result.reason).startswith(f"the loss of one batch has not fallen in {MOST_STEPS}")


def test_data_that_repeat_are_learned(measure: Callable[..., Result]) -> None:
    """In both frameworks: after thirty steps on one batch little of the loss is left."""
    settings = Settings(warmup=0, runs=30, process=PLAIN)
    found = values(measure("small", settings, batch_size=4))
    assert found["last_loss"] < 0.7 * found["first_loss"]  # type: ignore[operator]


@pytest.mark.parametrize("framework", ["pytorch"], indirect=True)
def test_a_step_that_raises_is_a_row(measure: Callable[..., Result]) -> None:
    """With the words of the framework."""
    result = measure("unfit")
    assert result.status == "failed"
    assert "RuntimeError" in str(result.reason)


@pytest.mark.parametrize("framework", ["mxnet"], indirect=True)
def test_a_model_of_a_library_infers(measure: Callable[..., Result]) -> None:
    """By its name there; what the library does not have is the record's reason."""
    result = measure("model_zoo:squeezenet1.1", batch_size=1, forward_only=True)
    assert result.status in ("ok", "noisy"), result.reason
    missing = measure("model_zoo:squeezenet9")
    assert (missing.status, missing.seconds) == ("failed", None)
    assert "did you mean 'squeezenet1." in str(missing.reason)


def request(**given: Any) -> ModelRequest:
    """Return what is asked of a network that nobody has to make."""
    entry = Entry(name="a", framework="pytorch", title="A", parameters=1, path=MORE)
    return ModelRequest(model="a", entry=entry, **given)


def test_a_request_travels_as_json() -> None:
    """And comes back as it was."""
    asked = request(device="cuda:0", num_gpus=4, data=DataRequest(data_dir="/x", shuffle=True))
    assert request_from(asked.to_mapping()) == asked


def test_the_flags_of_cudnn_are_not_applicable_on_a_cpu() -> None:
    """On a GPU they are what was asked for."""
    assert attributes_of(request())["cudnn_benchmark"] == "not applicable"
    found = attributes_of(request(device="cuda:0", cudnn_fastest=True))
    assert (found["cudnn_benchmark"], found["cudnn_fastest"]) == (True, True)


def test_several_devices_count_in_the_batch() -> None:
    """A CPU is one device, whatever is asked for."""
    assert request(device="cuda:0", num_gpus=4, batch_size=8).effective_batch == 32
    assert request(num_gpus=4, batch_size=8).effective_batch == 8


class Clock:
    """Counts in nanoseconds, a thousand a look."""

    def __init__(self) -> None:
        self.looks = count()

    def __call__(self) -> int:
        """Return the time."""
        return 1000 * next(self.looks)


class Phases:
    """A trainer and a loader that take down what they are called for."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def __next__(self) -> Any:
        """Load."""
        self.calls.append("load")
        return "host"

    def __getattr__(self, name: str) -> Any:
        """Do a phase."""
        return lambda *_: self.calls.append(name)


@pytest.mark.parametrize(
    ("training", "resident", "calls"),
    [
        (True, "there", TRAINED),
        (False, "there", ["forward"]),
        (True, None, ["load", "place", *TRAINED]),
    ],
)
def test_each_phase_is_awaited(training: bool, resident: Any, calls: list[str]) -> None:
    """Where phases are timed; the step as a whole is not."""
    phases = Phases()
    device = Device(clock=Clock(), synchronize=lambda: phases.calls.append("wait"))
    stepper = Stepper(phases, phases, resident, training=training)  # type: ignore[arg-type]
    stepper.step()
    assert phases.calls == calls
    phases.calls.clear()
    found = stepper.phases(device)
    expected = [call for each in calls for call in (each, "wait")]
    assert phases.calls == ["wait", *expected]
    assert [*found.values()] == [pytest.approx(1e-6)] * len(calls)


def test_phases_have_intervals_and_a_sum() -> None:
    """Of six batches at least."""
    phases = Phases()
    stepper = Stepper(phases, phases, "there", training=True)  # type: ignore[arg-type]
    samples = phase_samples(stepper, Device(clock=Clock()), budget=1e-9)
    found = {metric.name: metric for metric in phase_metrics(samples)}
    assert len(samples) == 6
    assert found["phases"].value == pytest.approx(3e-6)
    assert found["forward"].interval is not None


def test_waiting_for_data_is_said() -> None:
    """From a tenth of the step on."""
    samples = [{"data": 0.63, "host_to_device": 0.0, "forward": 0.37}] * 6
    (bound,) = data_warning(samples, 1)
    assert bound.code == "data_bound"
    assert bound.message.startswith("data-bound: 63% of the step is spent waiting for a batch")
    few = [{"data": 0.05, "host_to_device": 0.0, "forward": 0.95}] * 6
    assert [*data_warning(few, 1)] == []


def test_throughput_counts_every_device(make_summary: Callable[..., Any]) -> None:
    """With the interval of the time, turned over."""
    (metric,) = throughput(
        make_summary(0.5, (0.4, 0.8)), request(device="cuda:0", num_gpus=2, batch_size=8)
    )
    assert (metric.value, metric.interval) == (32.0, (20.0, 40.0))

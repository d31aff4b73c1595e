"""The timing core under a fake clock: no test here takes or checks real time."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from functools import partial
from itertools import chain, cycle, islice, repeat
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from opperf.core.configuration.settings import MINIMUM_SAMPLES, Settings
from opperf.core.timing.measure import measure, time_first_call, without_collector
from opperf.core.timing.sampler import Sampler, looks
from opperf.core.timing.warming import calibrate, is_steady, warm_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Make = Callable[..., Any]

US = 1000
MS = 1_000_000


def test_calibration_fills_the_interval(machine: Make) -> None:
    """A call of 1 us is repeated 200 times to last the 200 us of a sample."""
    assert calibrate(machine(1 * US).work())[0] == 200


def test_one_slow_first_call_does_not_pin_the_iterations_to_one(machine: Make) -> None:
    """The crossing must be seen twice: compiling in the first call is not taken for the cost."""
    fake = machine(10 * MS, 1 * US)
    assert calibrate(fake.work())[0] == 200
    assert fake.asked[:3] == [1, 1, 16]


def test_a_slow_call_is_a_sample_by_itself(machine: Make) -> None:
    """A call longer than the interval is seen twice, and not repeated."""
    fake = machine(1 * MS)
    assert calibrate(fake.work())[0] == 1
    assert fake.asked == [1, 1]


def test_calibration_stays_within_what_can_be_prepared(machine: Make) -> None:
    """A limit on prepared calls is never exceeded, also where it is no power of two."""
    fake = machine(1 * US)
    assert calibrate(fake.work(limit=37))[0] == 37
    assert max(fake.asked) == 37


def test_every_phase_stays_within_what_can_be_prepared(machine: Make) -> None:
    """Warm-up, slope and sampling ask for no more calls at once than fit into memory."""
    fake = machine(1 * US)
    measure(fake.work(limit=37, constant=1.0), Settings(), first_call=0.0)
    assert max(fake.asked) == 37


def test_the_clock_reads_nothing_but_the_calls(machine: Make) -> None:
    """Calls of 7 us read as 7 us each."""
    samples = measure(machine(7 * US).work(), Settings(), first_call=0.0)
    assert samples.times() == pytest.approx([7e-6] * len(samples.seconds))
    assert samples.method == "interval"


def test_an_asynchronous_device_is_awaited(machine: Make) -> None:
    """What a device does after the call has returned is part of the measured time."""
    fake = machine(30 * US, submit=2 * US)
    samples = measure(fake.work(), Settings(), first_call=0.0)
    assert min(samples.times()) >= 30e-6
    assert max(samples.times()) == pytest.approx(30e-6, rel=0.3)


def test_an_asynchronous_device_is_idle_before_the_clock_starts(machine: Make) -> None:
    """Work left over from before belongs to no sample."""
    fake = machine(30 * US, submit=2 * US)
    fake.busy_until = 10**9
    assert fake.work().time(1) == pytest.approx(32e-6)


def test_the_slope_removes_a_constant_exactly(machine: Make) -> None:
    """What waking and awaiting a device adds once a batch cancels."""
    fake = machine(5 * US, waking=70 * US)
    samples = measure(fake.work(interval=10e-3, constant=100e-6), Settings(), first_call=0.0)
    assert samples.method == "slope"
    assert samples.times() == pytest.approx([5e-6] * len(samples.seconds), rel=1e-9)


def test_a_constant_below_half_a_percent_needs_no_slope(machine: Make) -> None:
    """A sample of 30 ms hides a constant of 100 us, so all of it is used."""
    fake = machine(30 * MS)
    samples = measure(fake.work(interval=10e-3, constant=100e-6), Settings(), first_call=0.0)
    assert (samples.method, samples.iterations) == ("interval", 1)


@pytest.mark.parametrize(
    ("precision", "method"),
    [(0.005, "slope"), (0.02, "slope"), (0.03, "slope"), (0.04, "interval")],
)
def test_who_asks_for_less_precision_is_spared_the_slope(
    machine: Make, precision: float, method: str
) -> None:
    """A constant of 1 ms is 0.9 % of a call of 110 ms: less than a quarter of 4 %, not of 3 %."""
    work = machine(110 * MS).work(interval=10e-3, constant=1e-3)
    settings = Settings(precision=precision)
    assert measure(work, settings, first_call=0.0).method == method


def test_the_slope_takes_four_calls_at_least(machine: Make) -> None:
    """A slow call behind a large constant is measured as one call against four."""
    sampler = Sampler.choose(machine(20 * MS).work(constant=1e-3), 1, 0.02, Settings(budget=0.61))
    assert (sampler.iterations, sampler.short, sampler.divisor) == (4, 1, 3)


def test_the_slope_takes_two_calls_where_six_samples_of_four_outlast_the_budget(
    machine: Make,
) -> None:
    """The fewest samples that have an interval, at five calls each, do not fit: three calls do."""
    sampler = Sampler.choose(machine(20 * MS).work(constant=1e-3), 1, 0.02, Settings(budget=0.59))
    assert (sampler.iterations, sampler.short, sampler.divisor) == (2, 1, 1)


@pytest.mark.parametrize("limit", [1, 3])
def test_no_slope_where_too_few_calls_can_be_prepared(machine: Make, limit: int) -> None:
    """Below four prepared calls there is only the interval."""
    sampler = Sampler.choose(
        machine(1 * MS).work(constant=1e-3, limit=limit), limit, 1e-3, Settings()
    )
    assert (sampler.iterations, sampler.short) == (limit, 0)


@pytest.mark.parametrize("limit", [1, 2, 100])
@pytest.mark.parametrize("constant", [0.0, 100e-6])
def test_calls_that_lead_a_batch_are_in_no_time(machine: Make, limit: int, constant: float) -> None:
    """Nor is what waking adds, however few calls there can be; a first call has none before it."""
    fake = machine(5 * US, waking=70 * US)
    lead = [partial(pass_by, fake)]
    work = fake.work(interval=10e-3, constant=constant, limit=limit, lead=lead)
    assert time_first_call(work) == pytest.approx(75e-6)
    samples = measure(work, Settings(), first_call=0.0)
    assert (samples.method, samples.iterations) == ("slope", limit)
    assert samples.times() == pytest.approx([5e-6] * len(samples.seconds), rel=1e-9)


def pass_by(fake: Any) -> None:
    """Let a call of something else take 20 us."""
    fake.now += 20 * US


@pytest.mark.parametrize("constant", [0.0, 100e-6])
def test_the_null_loop_is_subtracted(machine: Make, constant: float) -> None:
    """The harness's own cost per call is kept beside the raw samples and taken off the times."""
    fake = machine(1050, null=50)
    samples = measure(fake.work(constant=constant), Settings(), first_call=0.0)
    assert samples.loop_overhead == pytest.approx(50e-9)
    assert samples.times() == pytest.approx([1e-6] * len(samples.seconds))
    raw = np.array(samples.seconds) / samples.iterations
    assert raw == pytest.approx(1.05e-6)


def test_the_first_call_is_kept_apart(machine: Make) -> None:
    """Compilation is told as the first call and is in no sample."""
    fake = machine(500 * MS, 1 * US)
    work = fake.work()
    first = time_first_call(work)
    samples = measure(work, Settings(), first_call=first)
    assert samples.first_call == pytest.approx(0.5)
    assert max(samples.times()) == pytest.approx(1e-6)


@pytest.mark.parametrize("warmup", [1, 7, 50])
def test_a_given_warmup_is_made_as_it_is(machine: Make, warmup: int) -> None:
    """So many single calls are made between calibration and sampling, and are in no sample."""
    fake = machine(*[1 * MS] * (2 + warmup), 400 * US)
    samples = measure(fake.work(), Settings(warmup=warmup, runs=8), first_call=0.0)
    assert samples.times() == pytest.approx([400e-6] * 8)
    assert fake.calls == 2 + warmup + 8
    assert samples.steady


def test_no_warmup_at_all_is_valid(machine: Make) -> None:
    """With warmup=0 sampling follows calibration."""
    fake = machine(1 * MS)
    samples = measure(fake.work(), Settings(warmup=0, runs=6), first_call=0.0)
    assert (fake.calls, len(samples.seconds)) == (2 + 6, 6)


def test_slow_warmup_calls_are_in_no_sample(machine: Make) -> None:
    """Without a number, calls are made until the times stand still; the samples begin there."""
    fall = [int(3 * MS * 0.9**i) + 300 * US for i in range(60)]
    samples = measure(machine(*fall, 300 * US).work(), Settings(), first_call=0.0)
    assert samples.steady
    assert samples.times() == pytest.approx([300e-6] * len(samples.seconds), rel=0.01)


def test_times_that_never_stand_still_are_not_steady(machine: Make) -> None:
    """A warm-up that ends at its cap while the calls still get faster says so."""
    fake = machine(*range(3 * MS, 300 * US, -4 * US))
    assert not warm_up(fake.work(), Settings(), 1, 3e-3, fake.now)


def test_the_warm_up_takes_a_quarter_of_the_budget_at_most(machine: Make) -> None:
    """Calls that go on getting faster are sampled all the same once that is spent."""
    fake = machine(*range(3 * MS, 300 * US, -4 * US))
    warm_up(fake.work(), Settings(budget=0.4), 1, 3e-3, fake.now)
    assert 0.1e9 < fake.now < 0.2e9


def test_steady_means_two_agreements_in_a_row() -> None:
    """Of three window medians none may be faster; two do not suffice."""
    assert is_steady([9.0, 1.0, 1.001, 1.002], 0.003)
    assert not is_steady([1.0, 1.001], 0.003)
    assert not is_steady([1.0, 1.001, 0.99], 0.003)
    assert not is_steady([1.1, 1.0, 1.0], 0.003)


def test_a_slower_window_is_noise() -> None:
    """Warming up makes calls faster; whether the kept samples slow down is tested afterwards."""
    assert is_steady([1.0, 1.2, 1.4], 0.003)


@pytest.mark.parametrize("runs", [1, 2, 5, 6, 33])
def test_runs_gives_exactly_so_many_samples(machine: Make, runs: int) -> None:
    """A number of runs is neither cut by the budget nor by the precision."""
    settings = Settings(runs=runs, budget=1e-6, precision=0.5)
    samples = measure(machine(1 * MS).work(), settings, first_call=0.0)
    assert (len(samples.seconds), samples.stop_reason) == (runs, "runs")


def test_sampling_stops_at_the_first_look_that_is_precise(machine: Make) -> None:
    """Equal samples are precise at the first look, after ten."""
    samples = measure(machine(1 * MS).work(), Settings(), first_call=0.0)
    assert (len(samples.seconds), samples.stop_reason) == (20, "precision")


def test_sampling_goes_on_until_it_is_precise(machine: Make) -> None:
    """Noise that halves with every doubling of the samples stops at one of the later looks."""
    random = np.random.default_rng(0)
    costs = (int(cost) for cost in random.normal(1 * MS, 20 * US, 5000))
    settings = Settings(precision=0.005, budget=100.0)
    samples = measure(machine(*costs).work(), settings, first_call=0.0)
    assert samples.stop_reason == "precision"
    assert len(samples.seconds) in list(islice(looks(), 12))[2:]


def test_sampling_stops_when_the_budget_is_spent(machine: Make) -> None:
    """What never becomes precise ends with the budget."""
    costs = islice(chain(repeat(1 * MS, 300), cycle([1 * MS, 2 * MS])), 2000)
    samples = measure(machine(*costs).work(), Settings(budget=0.3, warmup=298), first_call=0.0)
    assert samples.stop_reason == "budget"
    assert sum(samples.seconds) == pytest.approx(0.3, abs=0.003)


def test_the_budget_never_leaves_fewer_than_six_samples(machine: Make) -> None:
    """A call that exceeds the whole budget is still sampled six times."""
    samples = measure(machine(3000 * MS).work(), Settings(budget=1e-3), first_call=0.0)
    assert (len(samples.seconds), samples.stop_reason) == (MINIMUM_SAMPLES, "budget")


def test_looks_double_every_other_time() -> None:
    """The precision is looked at after 20, 28, 40, 56, 80, ... samples."""
    assert list(islice(looks(), 8)) == [20, 28, 40, 56, 80, 113, 160, 226]


@pytest.fixture(params=[True, False], ids=["collecting", "not collecting"])
def collecting(request: pytest.FixtureRequest) -> Iterator[bool]:
    """Switch the garbage collector on or off, and back on afterwards."""
    if not request.param:
        gc.disable()
    yield request.param
    gc.enable()


def test_the_garbage_collector_rests_while_it_is_measured(
    machine: Make, *, collecting: bool
) -> None:
    """It is off in every call, and afterwards as it was before."""
    fake = machine(1 * MS)
    seen = []
    work = fake.work(context=lambda: watching(seen))
    measure(work, Settings(runs=6), first_call=0.0)
    assert seen == [False, False]
    assert gc.isenabled() is collecting
    assert gc.get_freeze_count() == 0


@contextmanager
def watching(seen: list[bool]) -> Iterator[None]:
    """Note whether the collector is on, at the beginning and at the end."""
    seen.append(gc.isenabled())
    yield
    seen.append(gc.isenabled())


def test_the_garbage_collector_is_restored_after_an_error(*, collecting: bool) -> None:
    """An operator that raises does not leave the process without a collector."""
    with pytest.raises(ZeroDivisionError), without_collector():
        raise ZeroDivisionError
    assert gc.isenabled() is collecting
    assert gc.get_freeze_count() == 0

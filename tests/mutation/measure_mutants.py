"""Wrong copies of the timing core: the ordinary tests tell each of them from the right one."""

from __future__ import annotations

NULL = "core/timing/test_measure.test_the_null_loop_is_subtracted"
NULL_MEDIAN = "core/timing/test_sampling.test_one_disturbed_null_reading_changes_nothing"
NULL_BARE = "core/timing/test_sampling.test_the_null_call_itself_is_not_the_harness"
SLOPE = "core/timing/test_measure.test_the_slope_removes_a_constant_exactly"
NO_SLOPE = "core/timing/test_measure.test_a_constant_below_half_a_percent_needs_no_slope"
CROSSING = "core/timing/test_measure.test_one_slow_first_call_does_not_pin_the_iterations_to_one"
PREPARED = "core/timing/test_measure.test_calibration_stays_within_what_can_be_prepared"
CLOCK = "core/timing/test_measure.test_the_clock_reads_nothing_but_the_calls"
WARM = "core/timing/test_measure.test_slow_warmup_calls_are_in_no_sample"
UNSTEADY = "core/timing/test_measure.test_times_that_never_stand_still_are_not_steady"
TWICE = "core/timing/test_measure.test_steady_means_two_agreements_in_a_row"
SLOWER = "core/timing/test_measure.test_a_slower_window_is_noise"
PRECISE = "core/timing/test_measure.test_sampling_goes_on_until_it_is_precise"
BUDGET = "core/timing/test_measure.test_sampling_stops_when_the_budget_is_spent"
SIX = "core/timing/test_measure.test_the_budget_never_leaves_fewer_than_six_samples"
LEFT_OUT = "core/timing/test_disturbed.test_what_a_neighbor_slowed_is_left_out"
LEAVES = "core/timing/test_disturbed.test_a_neighbor_who_leaves_is_waited_for"
ENDS = "core/timing/test_disturbed.test_there_is_an_end_to_waiting"
ALL_KEPT = "core/timing/test_disturbed.test_as_many_as_the_user_asks_for_are_kept"
RUNS = "core/timing/test_measure.test_runs_gives_exactly_so_many_samples"
KEPT = "core/timing/test_sampling.test_every_sample_is_kept_in_time_order"
COLLECTOR = "core/timing/test_sampling.test_the_collector_rests_in_every_call"
AWAITED = "core/timing/test_measure.test_an_asynchronous_device_is_awaited"
IDLE = "core/timing/test_measure.test_an_asynchronous_device_is_idle_before_the_clock_starts"

NET = "elapsed / self.iterations - self.loop_overhead"
SAMPLES = "seconds=tuple(seconds)"
PRECISELY = "width is not None and width <= settings.precision"

MUTANTS = {
    "the loop's overhead is left in": (
        "measure:Samples.times",
        NET,
        "elapsed / self.iterations",
        NULL,
    ),
    "the loop's overhead is added": (
        "measure:Samples.times",
        NET,
        "elapsed / self.iterations + self.loop_overhead",
        NULL,
    ),
    "the loop's overhead is the worst of its readings": (
        "measure:measure",
        "loop_overhead=median(overheads)",
        "loop_overhead=max(overheads)",
        NULL_MEDIAN,
    ),
    "the bare callable counts as overhead": (
        "workload:Work.loop_overhead",
        "return bound - device.time(repeat(accept_all, iterations))",
        "return bound",
        NULL_BARE,
    ),
    "the slope is over all of the long batch": (
        "sampler:Sampler.divisor",
        "return self.iterations - self.short",
        "return self.iterations",
        SLOPE,
    ),
    "the short batch is not taken off": (
        "sampler:Sampler.sample",
        "return seconds - self.work.time(self.short) if self.is_slope else seconds",
        "return seconds",
        SLOPE,
    ),
    "the constant is never large": (
        "sampler:Sampler.choose",
        "share <= negligible or work.limit < least",
        "True",
        SLOPE,
    ),
    "the constant is always large": (
        "sampler:Sampler.choose",
        "share <= negligible or work.limit < least",
        "work.limit < least",
        NO_SLOPE,
    ),
    "the first crossing is believed": (
        "warming",
        "CROSSINGS, STEADY_WINDOWS = 2, 3",
        "CROSSINGS, STEADY_WINDOWS = 1, 3",
        CROSSING,
    ),
    "more calls are asked for than can be prepared": (
        "warming:calibrate",
        "min(work.limit, MOST_ITERATIONS)",
        "MOST_ITERATIONS",
        PREPARED,
    ),
    "the first call is kept": (
        "measure:measure",
        SAMPLES,
        "seconds=(first_call * sampler.divisor, *seconds)",
        CLOCK,
    ),
    "samples of the warm-up are kept": (
        "measure:measure",
        "steady = warm_up(work, settings, iterations, call, began)",
        "steady = True",
        WARM,
    ),
    "the warm-up always ends well": (
        "warming:warm_up",
        "return False",
        "return True",
        UNSTEADY,
    ),
    "two windows are enough": (
        "warming",
        "CROSSINGS, STEADY_WINDOWS = 2, 3",
        "CROSSINGS, STEADY_WINDOWS = 2, 2",
        TWICE,
    ),
    "a slower window is taken for warming up": (
        "warming:is_steady",
        "a - b <= noise * a",
        "abs(a - b) <= noise * a",
        SLOWER,
    ),
    "the warm-up knows no end": (
        "warming:warm_up",
        "clock() - began < cap * 1e9",
        "True",
        UNSTEADY,
    ),
    "sampling stops on dispersion": (
        "sampler:Sampler.run",
        "width = half_width(quiet)",
        "width = max(quiet) / min(quiet) - 1",
        PRECISE,
    ),
    "sampling stops at the first look": (
        "sampler:Sampler.run",
        PRECISELY,
        "True",
        PRECISE,
    ),
    "sampling is never precise": (
        "sampler:Sampler.run",
        "width <= settings.precision",
        "width < 0",
        PRECISE,
    ),
    "the budget is ignored": (
        "sampler:Sampler.run",
        "enough and clock() - start >= budget",
        "False",
        BUDGET,
    ),
    "a look at samples that a neighbor slowed": (
        "sampler:Sampler.run",
        "quiet = without(probe.marked_samples(len(seconds)), seconds)",
        "quiet = seconds",
        LEFT_OUT,
    ),
    "samples that a neighbor slowed count": (
        "sampler:without",
        "at not in left_out",
        "True",
        LEFT_OUT,
    ),
    "what a user asked for is left out": (
        "sampler:can_spare",
        "settings.runs is None and len(seconds) - len(marked) >= MINIMUM_SAMPLES",
        "len(seconds) - len(marked) >= MINIMUM_SAMPLES",
        ALL_KEPT,
    ),
    "a neighbor is not waited for": (
        "sampler",
        "PATIENCE = 2",
        "PATIENCE = 1",
        LEAVES,
    ),
    "there is no end to waiting": (
        "sampler",
        "PATIENCE = 2",
        "PATIENCE = 99",
        ENDS,
    ),
    "all may be left out": (
        "sampler:can_spare",
        "len(seconds) - len(marked) >= MINIMUM_SAMPLES",
        "len(seconds) - len(marked) >= 0",
        ENDS,
    ),
    "the budget leaves one sample": (
        "sampler:Sampler.run",
        "len(seconds) >= MINIMUM_SAMPLES",
        "len(seconds) >= 1",
        SIX,
    ),
    "the budget cuts what the user asked for": (
        "sampler:Sampler.run",
        "settings.runs is None and len(seconds) >= MINIMUM_SAMPLES",
        "len(seconds) >= MINIMUM_SAMPLES",
        RUNS,
    ),
    "precision cuts what the user asked for": (
        "sampler:Sampler.run",
        "settings.runs is None and len(quiet) >= FIRST_LOOK",
        "len(quiet) >= FIRST_LOOK",
        RUNS,
    ),
    "samples are dropped by their own time": (
        "measure:measure",
        SAMPLES,
        "seconds=tuple(s for s in seconds if s <= 1.2 * median(seconds))",
        KEPT,
    ),
    "the slowest samples are dropped": (
        "measure:measure",
        SAMPLES,
        "seconds=tuple(sorted(seconds)[: max(len(seconds) * 9 // 10, 6)])",
        KEPT,
    ),
    "samples lose their order": (
        "measure:measure",
        SAMPLES,
        "seconds=tuple(sorted(seconds))",
        KEPT,
    ),
    "the collector stays on": (
        "measure:without_collector",
        "gc.disable()",
        "None",
        COLLECTOR,
    ),
    "the device is not awaited": (
        "device:Device.time",
        "for step in steps:\n    step()\nsynchronize()",
        "for step in steps:\n    step()",
        AWAITED,
    ),
    "the device may be busy when the clock starts": (
        "device:Device.time",
        "synchronize()\nstart = clock()",
        "start = clock()",
        IDLE,
    ),
}
"""What is wrong with each, in which function, what is there, what instead, who finds out."""

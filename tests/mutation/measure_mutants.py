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

NET = "elapsed / self.iterations - self.null"
SAMPLES = "seconds=tuple(seconds)"
PRECISELY = "width is not None and width <= settings.precision"

MUTANTS = {
    "the null cost is left in": ("measure", NET, "elapsed / self.iterations", NULL),
    "the null cost is added": ("measure", NET, "elapsed / self.iterations + self.null", NULL),
    "the null cost is the worst of its readings": (
        "measure", "null=median(nulls)", "null=max(nulls)", NULL_MEDIAN),
    "the null callable counts as harness": (
        "workload", "return bound - device.time(repeat(accept_all, iterations))", "return bound",
        NULL_BARE),
    "the slope is over all of the long batch": (
        "sampler", "return self.iterations - self.short", "return self.iterations", SLOPE),
    "the short batch is not taken off": (
        "sampler", "return seconds - self.work.time(self.short) if self.is_slope else seconds",
        "return seconds", SLOPE),
    "the constant is never large": ("sampler", "share <= negligible or", "True or", SLOPE),
    "the constant is always large": ("sampler", "share <= negligible or", "", NO_SLOPE),
    "the first crossing is believed": (
        "warming", "CROSSINGS, STEADY_WINDOWS = 2, 3", "CROSSINGS, STEADY_WINDOWS = 1, 3",
        CROSSING),
    "more calls are asked for than can be prepared": (
        "warming", "min(work.limit, MOST_ITERATIONS)", "MOST_ITERATIONS", PREPARED),
    "the first call is kept": (
        "measure", SAMPLES, "seconds=(first_call * sampler.divisor, *seconds)", CLOCK),
    "samples of the warm-up are kept": (
        "measure", "steady = warm_up(work, settings, iterations, call, began)", "steady = True",
        WARM),
    "the warm-up always ends well": (
        "warming", "            return True\n    return False",
        "            return True\n    return True", UNSTEADY),
    "two windows are enough": (
        "warming", "CROSSINGS, STEADY_WINDOWS = 2, 3", "CROSSINGS, STEADY_WINDOWS = 2, 2", TWICE),
    "a slower window is taken for warming up": (
        "warming", "all(a - b <= noise * a", "all(abs(a - b) <= noise * a", SLOWER),
    "the warm-up knows no end": (
        "warming", "while clock() - began < cap * 1e9:", "while True:", UNSTEADY),
    "sampling stops on dispersion": (
        "sampler", "width = half_width(quiet)\n",
        "width = float(np.std(quiet) / np.mean(quiet))\n", PRECISE),
    "sampling stops at the first look": (
        "sampler", f"if {PRECISELY}:", "if True:", PRECISE),
    "sampling is never precise": ("sampler", "width <= settings.precision", "width < 0", PRECISE),
    "the budget is ignored": (
        "sampler", "if enough and clock() - start >= budget:", "if False:", BUDGET),
    "a look at samples that a neighbor slowed": (
        "sampler", "quiet = without(canary.marked(len(seconds)), seconds)", "quiet = seconds",
        LEFT_OUT),
    "samples that a neighbor slowed count": (
        "sampler", "if at not in left_out", "if at not in ()", LEFT_OUT),
    "what a user asked for is left out": (
        "sampler", "return settings.runs is None and len", "return len", ALL_KEPT),
    "a neighbor is not waited for": ("sampler", "PATIENCE = 2", "PATIENCE = 1", LEAVES),
    "there is no end to waiting": ("sampler", "PATIENCE = 2", "PATIENCE = 99", ENDS),
    "all may be left out": (
        "sampler", "len(marked) >= MINIMUM_SAMPLES", "len(marked) >= 0", ENDS),
    "the budget leaves one sample": (
        "sampler", "len(seconds) >= MINIMUM_SAMPLES", "len(seconds) >= 1", SIX),
    "the budget cuts what the user asked for": (
        "sampler", "enough = settings.runs is None and", "enough =", RUNS),
    "precision cuts what the user asked for": (
        "sampler", "if settings.runs is None and len(quiet)", "if len(quiet)", RUNS),
    "samples are dropped by their own time": (
        "measure", SAMPLES, "seconds=tuple(s for s in seconds if s <= 1.2 * median(seconds))",
        KEPT),
    "the slowest samples are dropped": (
        "measure", SAMPLES, "seconds=tuple(sorted(seconds)[: max(len(seconds) * 9 // 10, 6)])",
        KEPT),
    "samples lose their order": ("measure", SAMPLES, "seconds=tuple(sorted(seconds))", KEPT),
    "the collector stays on": ("measure", "    gc.disable()\n", "", COLLECTOR),
    "the device is not awaited": (
        "device", "            step()\n        synchronize()\n", "            step()\n", AWAITED),
    "the device may be busy when the clock starts": (
        "device", "        synchronize()\n        start = clock()",
        "        start = clock()", IDLE),
}  # fmt: skip
"""What is wrong with each, where, what stands there, what instead, and who finds out."""

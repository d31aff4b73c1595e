"""Wrong copies of what judges B against A: the ordinary tests tell each from the right one."""

from __future__ import annotations

RANKS = "comparing/test_signed_rank.test_ranks_bound_the_averages_from_both_ends"
ALPHA = "comparing/test_signed_rank.test_all_looks_together_err_by_at_most_five_per_cent"
ALL_PAIRS = "comparing/test_signed_rank.test_averages_are_those_of_all_pairs_in_order"
CENTER = "comparing/test_signed_rank.test_center_is_the_median_of_the_averages"
FIVE = "comparing/test_signed_rank.test_five_sessions_have_no_interval"
BETWEEN = "comparing/test_signed_rank.test_between_two_looks_the_interval_is_that_of_the_former"
NEXT = "comparing/test_signed_rank.test_the_most_sessions_are_a_look_as_well"
WORDS = "comparing/test_verdict.test_verdicts_follow_the_interval"
WHOLE = "comparing/test_verdict.test_slower_needs_the_whole_interval_beyond_the_effect"
EITHER_WAY = "comparing/test_verdict.test_the_effect_is_that_of_the_ratio_either_way"
RATIO = "comparing/test_verdict.test_ratio_and_interval_are_those_of_b_over_a"
TWICE = "comparing/test_verdict.test_failures_must_happen_twice"
ABBA = "comparing/pairs/test_blocks.test_blocks_come_as_abba_or_baab_by_a_coin"
DRIFT = "comparing/pairs/test_blocks.test_a_steady_drift_falls_on_both_arms"
B_OVER_A = "comparing/pairs/test_blocks.test_the_ratio_is_that_of_b_over_a"
OWN_TIME = "comparing/pairs/test_blocks.test_a_long_block_alone_marks_nothing"
MARKED = "comparing/pairs/test_blocks.test_disturbed_pairs_are_marked_whole_and_left_out"
STAYS = "comparing/pairs/test_blocks.test_a_neighbor_who_stays_marks_nothing"
LOWERS = "comparing/pairs/test_blocks.test_an_operator_that_lowers_the_clock_marks_nothing"
ALL_MARKED = (
    "comparing/pairs/test_blocks.test_where_all_are_disturbed_all_count_and_the_session_says_so"
)
FEWEST = "comparing/pairs/test_blocks.test_slow_calls_get_the_fewest_pairs"
FIRST = "comparing/pairs/test_blocks.test_clear_ratios_stop_at_the_first_look"
MOST = "comparing/pairs/test_blocks.test_wide_ratios_take_the_most_pairs_or_the_time"

BOUNDS = "return float(found[rank - 1]), float(found[-rank])"
FOURS = 'ORDERS = ("abba", "baab")'

IN_ORDER = """\
for verdict, holds in decided.items():
    if holds:
        return verdict, None
"""
OTHER_ORDER = f"""\
if low > 0 or high < 0:
    return "different", None
{IN_ORDER}
"""

MUTANTS = {
    "the lower rank is one too high": (
        "signed_rank:interval",
        BOUNDS,
        "return float(found[rank]), float(found[-rank])",
        RANKS,
    ),
    "the upper rank is one too low": (
        "signed_rank:interval",
        BOUNDS,
        "return float(found[rank - 1]), float(found[-rank - 1])",
        RANKS,
    ),
    "the ranks are those of a single look": (
        "signed_rank",
        "{8: 3, 10: 6, 12: 10, 16: 22, 20: 38, 24: 57}",
        "{8: 4, 10: 9, 12: 14, 16: 30, 20: 53, 24: 82}",
        ALPHA,
    ),
    "a value is not averaged with itself": (
        "signed_rank:averages",
        "np.triu_indices(len(found))",
        "np.triu_indices(len(found), k=1)",
        ALL_PAIRS,
    ),
    "the center is the mean": (
        "signed_rank:center",
        "np.median(averages(values))",
        "np.mean(averages(values))",
        CENTER,
    ),
    "five sessions have an interval": (
        "signed_rank",
        "FEWEST, FIRST, MOST = 6, min(LOOKS), max(LOOKS)",
        "FEWEST, FIRST, MOST = 5, min(LOOKS), max(LOOKS)",
        FIVE,
    ),
    "between two looks the next one's rank is used": (
        "signed_rank:rank_at",
        "max((rank for look, rank in ranks.items() if look <= count), default=None)",
        "min((rank for look, rank in ranks.items() if look >= count), default=None)",
        BETWEEN,
    ),
    "the most sessions are no look": (
        "signed_rank:looks_up_to",
        "{*LOOKS, most}",
        "LOOKS",
        NEXT,
    ),
    "slower needs the center beyond the effect only": (
        "verdict:decide",
        "low > delta",
        "middle > delta",
        WHOLE,
    ),
    "faster needs the center beyond the effect only": (
        "verdict:decide",
        "high < -delta",
        "middle < -delta",
        WHOLE,
    ),
    "equivalent needs the center within the effect only": (
        "verdict:decide",
        "-delta < low and high < delta",
        "-delta < middle < delta",
        WORDS,
    ),
    "slower and faster are exchanged": (
        "verdict:decide",
        "low > delta",
        "high < -delta",
        WORDS,
    ),
    "the effect is not one of logarithms": (
        "verdict:decide",
        "delta = log1p(min_effect)",
        "delta = min_effect",
        EITHER_WAY,
    ),
    "different comes before equivalent": ("verdict:decide", IN_ORDER, OTHER_ORDER, WORDS),
    "nothing is noise": (
        "verdict",
        "WIDEST = 0.05",
        "WIDEST = 50",
        WORDS,
    ),
    "the ratio is a logarithm": (
        "verdict:judge",
        "ratio=exp(middle)",
        "ratio=middle",
        RATIO,
    ),
    "the interval is one of logarithms": (
        "verdict:judge",
        "(exp(found[0]), exp(found[1]))",
        "found",
        RATIO,
    ),
    "one failure is enough": (
        "verdict",
        "RETRIES = 2",
        "RETRIES = 1",
        TWICE,
    ),
    "a wrong result is a failure": (
        "verdict:judge_statuses",
        '"wrong_result" in statuses',
        "False",
        TWICE,
    ),
    "newly fails and newly works are exchanged": (
        "verdict:judge_statuses",
        '"newly_fails"',
        '"newly_works"',
        TWICE,
    ),
    "blocks come as ABAB": (
        "blocks",
        FOURS,
        'ORDERS = ("abab", "abab")',
        DRIFT,
    ),
    "no coin is thrown": (
        "blocks",
        FOURS,
        'ORDERS = ("abba", "abba")',
        ABBA,
    ),
    "the ratio is A over B": (
        "blocks:Pairs.ratios",
        "log(b.seconds / a.seconds)",
        "log(a.seconds / b.seconds)",
        B_OVER_A,
    ),
    "pairs are dropped by their own time": (
        "blocks:uneven",
        "max(probe_times) > PROBE_SLOW * min(probe_times)",
        "max(block.seconds for block in pair) > 2 * min(block.seconds for block in pair)",
        OWN_TIME,
    ),
    "nothing is marked": (
        "blocks:Pairs.marked",
        "any(block.switches for block in pair) or uneven(pair)",
        "False",
        MARKED,
    ),
    "the system's own count is not looked at": (
        "blocks:Pairs.marked",
        "any(block.switches for block in pair) or uneven(pair)",
        "uneven(pair)",
        MARKED,
    ),
    "a neighbor who stays is marked": (
        "blocks:uneven",
        "PROBE_SLOW * min(probe_times)",
        "60_000",
        STAYS,
    ),
    "a probe after a block is compared with one before": (
        "blocks:uneven",
        "zip(*(block.probe_times for block in pair), strict=True)",
        "[[probe for block in pair for probe in block.probe_times]]",
        LOWERS,
    ),
    "marked pairs count": (
        "blocks:Pairs.quiet",
        "at not in marked",
        "True",
        MARKED,
    ),
    "where all are marked nobody is told": (
        "blocks:Pairs.disturbed",
        "return len(self.quiet()) < FEWEST",
        "return False",
        ALL_MARKED,
    ),
    "nobody waits for a neighbor to go": (
        "blocks",
        "SECONDS, PATIENCE = 0.3, 2",
        "SECONDS, PATIENCE = 0.3, 0",
        ALL_MARKED,
    ),
    "slow calls get one pair": (
        "blocks",
        "FEWEST, FIRST_LOOK, MOST = 4, 12, 20",
        "FEWEST, FIRST_LOOK, MOST = 2, 12, 20",
        FEWEST,
    ),
    "pairs are taken until the time is up": (
        "blocks:enough",
        "half_width(quiet) <= PRECISION",
        "half_width(quiet) < 0",
        FIRST,
    ),
    "there is no most": (
        "blocks:enough",
        "len(quiet) >= MOST or elapsed >= SECONDS",
        "elapsed >= SECONDS",
        MOST,
    ),
}
"""What is wrong with each, in which function, what is there, what instead, who finds out."""

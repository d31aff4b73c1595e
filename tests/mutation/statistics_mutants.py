"""Wrong copies of the statistics: the ordinary tests tell each of them from the right one."""

from __future__ import annotations

RANKS = "core/statistics/test_summary.test_interval_is_made_of_these_order_statistics"
TABLES = "core/statistics/test_summary.test_lower_rank_is_that_of_the_binomial_tables"
ALIKE = "core/statistics/test_summary.test_six_samples_or_more_always_have_an_interval"
DEPENDENT = "core/statistics/test_coverage.test_dependent_samples_have_the_interval_of_fewer"
INDEPENDENT = (
    "core/statistics/test_coverage.test_independent_samples_show_no_correlation_on_average"
)
SHRINKS = "core/statistics/test_summary.test_effective_size_shrinks_with_autocorrelation"
TIES = "core/statistics/test_summary.test_ties_are_no_autocorrelation"
OUTLIER = "core/statistics/test_summary.test_one_outlier_does_not_hide_autocorrelation"
BY_HAND = "core/statistics/test_summary.test_summary_of_a_hand_computed_vector"
PRECISION = "core/statistics/test_summary.test_precision_is_half_the_width_over_the_median"
MAD = "core/statistics/test_summary.test_deviation_is_the_median_distance_from_the_median"
DRIFT = "core/statistics/test_summary.test_drift_is_found_and_sized"
NO_DRIFT = "core/statistics/test_summary.test_drift_is_not_found_where_there_is_none"
ROBUST_DRIFT = "core/timing/test_sampling.test_the_size_of_a_drift_is_that_of_most_samples"
TWO_MODES = "core/statistics/test_summary.test_bimodal_streams_are_found"
ONE_MODE = "core/statistics/test_summary.test_streams_of_one_mode_are_not_bimodal"
TOO_LITTLE = "core/statistics/test_summary.test_what_is_too_little_for_two_modes"
OUTLIERS = "core/statistics/test_summary.test_outlier_share_counts_what_lies_five_deviations_off"
FAR_OUT = "core/timing/test_sampling.test_samples_far_out_do_not_hide_each_other"
FEW = "core/statistics/test_summary.test_five_samples_have_no_interval"

MUTANTS = {
    "the lower rank is one too high": (
        "statistics:lower_rank",
        "return successes or None",
        "return successes + 1",
        TABLES,
    ),
    "the lower rank is one too low": (
        "statistics:lower_rank",
        "return successes or None",
        "return max(successes - 1, 0) or None",
        TABLES,
    ),
    "the upper bound is one rank too high": (
        "statistics:median_interval",
        "float(ordered[n - low])",
        "float(ordered[min(n - low + 1, n - 1)])",
        RANKS,
    ),
    "the upper bound is one rank too low": (
        "statistics:median_interval",
        "float(ordered[n - low])",
        "float(ordered[n - low - 1])",
        RANKS,
    ),
    "the lower bound is one rank too high": (
        "statistics:median_interval",
        "float(ordered[low - 1])",
        "float(ordered[low])",
        RANKS,
    ),
    "all samples count as independent": (
        "statistics:median_interval",
        "len(values), int(effective_size(values))",
        "len(values), len(values)",
        DEPENDENT,
    ),
    "ranks of fewer samples are not scaled to all": (
        "statistics:median_interval",
        "((independent + 1) / 2 - rank) * n / independent",
        "(independent + 1) / 2 - rank",
        DEPENDENT,
    ),
    "the correlation has the wrong sign": (
        "statistics:lag_one_correlation",
        "return correlation + 1 / len(values)",
        "return 1 / len(values) - correlation",
        SHRINKS,
    ),
    "the correlation keeps its bias": (
        "statistics:lag_one_correlation",
        "return correlation + 1 / len(values)",
        "return correlation",
        INDEPENDENT,
    ),
    "values are correlated, not ranks": (
        "statistics:lag_one_correlation",
        "ranks = (np.cumsum(counts) - counts / 2)[inverse]",
        "ranks = values.copy()",
        OUTLIER,
    ),
    "ties get ranks in their order": (
        "statistics:lag_one_correlation",
        "ranks = (np.cumsum(counts) - counts / 2)[inverse]",
        'ranks = values.argsort(kind="stable").argsort().astype(float)',
        TIES,
    ),
    "dependent samples count for more": (
        "statistics:effective_size",
        "len(values) * (1 - correlation) / (1 + correlation)",
        "len(values) * (1 + correlation) / (1 - correlation)",
        SHRINKS,
    ),
    "alternating samples count for more than all": (
        "statistics:effective_size",
        "min(max(lag_one_correlation(values), 0.0), 0.99)",
        "min(lag_one_correlation(values), 0.99)",
        RANKS,
    ),
    "the median is the mean": (
        "statistics:summarize",
        "median=median",
        "median=float(values.mean())",
        BY_HAND,
    ),
    "the mean is the median": (
        "statistics:summarize",
        "mean=float(values.mean())",
        "mean=median",
        BY_HAND,
    ),
    "the interval is one of 90 %": (
        "statistics",
        "TAIL = 0.025",
        "TAIL = 0.05",
        TABLES,
    ),
    "the interval is one of 99 %": (
        "statistics",
        "TAIL = 0.025",
        "TAIL = 0.005",
        TABLES,
    ),
    "five samples have an interval": (
        "statistics:median_interval",
        "n < MINIMUM_SAMPLES",
        "n < 2",
        FEW,
    ),
    "the precision is the whole width": (
        "statistics:relative_half_width",
        "return (interval[1] - interval[0]) / (2 * median)",
        "return (interval[1] - interval[0]) / median",
        PRECISION,
    ),
    "deviations are averaged": (
        "statistics:deviation",
        "return float(np.median(np.abs(values - np.median(values))))",
        "return float(np.mean(np.abs(values - np.median(values))))",
        MAD,
    ),
    "drift needs no significance": (
        "statistics:drift",
        "abs(float(np.sign(differences).sum())) <= significance * spread",
        "False",
        NO_DRIFT,
    ),
    "drift is tested as if samples were independent": (
        "statistics:drift",
        "n * (n - 1) * (2 * n + 5) / 18 * n / independent",
        "n * (n - 1) * (2 * n + 5) / 18",
        NO_DRIFT,
    ),
    "the trend itself counts as correlation": (
        "statistics:drift",
        "effective_size(values - slope * np.arange(n))",
        "effective_size(values)",
        DRIFT,
    ),
    "drift has the wrong sign": (
        "statistics:drift",
        "return slope * (n - 1) / median",
        "return -slope * (n - 1) / median",
        DRIFT,
    ),
    "drift is told by the sample": (
        "statistics:drift",
        "return slope * (n - 1) / median",
        "return slope / median",
        DRIFT,
    ),
    "slopes are averaged": (
        "statistics:drift",
        "slope = float(np.median(differences / (second - first)))",
        "slope = float(np.mean(differences / (second - first)))",
        ROBUST_DRIFT,
    ),
    "modes need not lie far apart": (
        "statistics:is_bimodal",
        "5.0",
        "1.0",
        ONE_MODE,
    ),
    "modes must lie very far apart": (
        "statistics:is_bimodal",
        "5.0",
        "50.0",
        TWO_MODES,
    ),
    "a few samples are a mode": (
        "statistics:is_bimodal",
        "0.2",
        "0.02",
        TOO_LITTLE,
    ),
    "any distance of two modes counts": (
        "statistics:is_bimodal",
        "0.02 * abs(float(np.median(values)))",
        "0.0",
        TOO_LITTLE,
    ),
    "ten samples can have two modes": (
        "statistics",
        "FEWEST_FOR_MODES = 20",
        "FEWEST_FOR_MODES = 10",
        TOO_LITTLE,
    ),
    "modes are always halves": (
        "statistics:is_bimodal",
        "cut = least + int(np.argmax(between))",
        "cut = n // 2",
        TWO_MODES,
    ),
    "whatever is one deviation off is an outlier": (
        "statistics:outlier_share",
        "5 * scale",
        "1 * scale",
        OUTLIERS,
    ),
    "outliers are told by their distance from the mean": (
        "statistics:outlier_share",
        "np.median(values)",
        "np.mean(values)",
        FAR_OUT,
    ),
}
"""What is wrong with each, in which function, what is there, what instead, who finds out."""

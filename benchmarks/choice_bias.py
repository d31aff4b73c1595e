"""How far the time of a doubtful row is off where the narrower of two intervals stands.

Run: ``.venv/bin/python benchmarks/choice_bias.py`` (a minute). Each row is measured twice, the
samples drawn from a distribution whose median is 1; the table has the mean error of the median that
stands, in shares of the interval's half-width, and how often the interval holds the true one: for
the first, for the later, the narrower and the shorter. Nothing is timed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.statistics.summary import median_interval

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opperf.core.tensors.tensor import Array

    Draw = Callable[[np.random.Generator, int], Array]

ROWS, SAMPLES = 4000, (12, 40)
STOLEN, LONGER = 0.3, 2.0
"""The share of samples beside a neighbor, and what these take more, in medians."""


def symmetric(random: np.random.Generator, count: int) -> Array:
    """Return samples that are as often so much too long as too short, by ratio."""
    return np.exp(random.normal(0, 0.4, count))


def skewed(random: np.random.Generator, count: int) -> Array:
    """Return samples with a long tail of long ones."""
    return (1 + random.exponential(0.8, count)) / (1 + 0.8 * np.log(2))


def neighbor(random: np.random.Generator, count: int) -> Array:
    """Return samples of a machine on which a neighbor takes some time of each third one."""
    free = np.exp(random.normal(0, 0.05, count))
    quantile = np.exp(0.05 * 0.5659)  # of the normal distribution, at 0.5 / 0.7
    return np.where(random.random(count) < STOLEN, free * LONGER, free) / quantile


def choices(draw: Draw, random: np.random.Generator, count: int) -> dict[str, list[Array]]:
    """Return median, low and high of what stands by each rule, row by row."""
    found: dict[str, list[Array]] = {}
    for _ in range(ROWS):
        pair = []
        for _ in range(2):
            values = draw(random, count)
            low, high = median_interval(values) or (np.nan, np.nan)
            pair.append(np.array([np.median(values), low, high]))
        first, later = pair
        narrower = min(reversed(pair), key=lambda one: (one[2] - one[1]) / one[0])
        shorter = min(pair, key=lambda one: float(one[0]))
        named = {"first": first, "later": later, "narrower": narrower, "shorter": shorter}
        for rule, one in named.items():
            found.setdefault(rule, []).append(one)
    return found


def main(arguments: Sequence[str]) -> None:
    """Print a line for each distribution, number of samples and rule."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    random = np.random.default_rng(parser.parse_args(arguments).seed)
    print("| samples | n | rule | mean error, half-widths | interval holds the truth |")
    print("|---|---|---|---|---|")
    for draw in (symmetric, skewed, neighbor):
        for count in SAMPLES:
            for rule, rows in choices(draw, random, count).items():
                median, low, high = np.transpose(rows)
                error = np.mean(median - 1) / np.mean((high - low) / 2)
                holds = np.mean((low <= 1) & (high >= 1))
                print(f"| {draw.__name__} | {count} | {rule} | {error:+.2f} | {holds:.1%} |")


if __name__ == "__main__":
    main(sys.argv[1:])

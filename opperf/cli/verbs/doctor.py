"""Say how well this machine measures: what disturbs it, its noise floor, and its peaks."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from opperf.cli.common.messages import teller
from opperf.cli.common.options import add_format, add_options, configuration_of
from opperf.core.environment import collect
from opperf.core.finding import Finding
from opperf.core.frameworks.registry import MEASURED, find_framework, require_installed
from opperf.core.roofline.peaks_file import load_peaks, store_peaks
from opperf.core.units import parse_seconds
from opperf.doctor.checks import check_facts
from opperf.doctor.interference import watch, watch_findings
from opperf.doctor.noise import Trial, noise_findings, noise_summary
from opperf.doctor.peaks import peak_findings, search_peaks
from opperf.reporting.checkup import checkup
from opperf.reporting.printing import print_rows
from opperf.reporting.text import columns, is_ascii

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from opperf.core.configuration.options import Configuration
    from opperf.core.roofline.peaks import Peaks

BUDGET = "60s"
WATCH_SHARE, MOST_WATCHED = 0.1, 5.0
"""The loop runs for a tenth of the time, and at most so many seconds."""
NARROW = 80
"""Columns where nobody says how many there are: it is prose for the most part."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    add_format(parser)
    add_options(parser, ["framework"])
    parser.add_argument(
        "--peaks", action="store_true",
        help="also measure bandwidth and products, and keep them: records then say how near to "
        "these they came; about another minute",
    )  # fmt: skip
    parser.add_argument(
        "--budget", default=BUDGET, metavar="TIME",
        help=f"time for all but the peaks (default: {BUDGET}); never fewer than five processes",
    )  # fmt: skip
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")


def execute(arguments: Namespace) -> int:
    """Look at everything in turn, then print it all."""
    seconds = parse_seconds(arguments.budget)
    deadline = time.monotonic() + seconds
    named = frameworks_of(configuration_of(arguments))
    tell = teller(quiet=arguments.quiet)
    facts: dict[str, Any] = collect()
    findings = check_facts(facts)
    tell("watching the processor")
    findings += watch_findings(watch(min(seconds * WATCH_SHARE, MOST_WATCHED)))
    trial = Trial([*named], deadline, tell)
    noise = trial.run()
    findings += [*noise_summary(noise), *failures("noise floor", trial.failures)]
    peaks = None
    if arguments.peaks:
        search = search_peaks(named, facts, tell)
        peaks = search.peaks(str(facts["machine_key"]))
        findings += [save_peaks(peaks), *failures("peaks", search.failures)]
    else:
        findings.append(peaks_finding(load_peaks(facts["machine_key"])))
    if arguments.format == "table":
        width = columns(sys.stdout, NARROW)
        print(checkup(findings, noise, peaks, width, ascii_only=is_ascii(sys.stdout)))
    else:
        found = [*findings, *noise_findings(noise), *(peak_findings(peaks) if peaks else ())]
        print_rows([finding.to_mapping() for finding in found], arguments.format, sys.stdout)
    return 0


def frameworks_of(configuration: Configuration) -> tuple[str, ...]:
    """Return the frameworks named, else the installed ones of those that are measured, else NumPy.

    Raises:
        UsageError: one that is named does not exist or is not installed.
    """
    named: tuple[str, ...] = configuration["framework"].value or ()
    for name in named:
        require_installed(find_framework(name))
    found = tuple(name for name in MEASURED if find_framework(name).is_installed())
    return named or found or ("numpy",)


def failures(check: str, reasons: Sequence[str]) -> list[Finding]:
    """Return a note for each thing that could not be measured."""
    return [Finding(check=check, level="note", figure=f"not measured: {text}") for text in reasons]


def save_peaks(peaks: Peaks) -> Finding:
    """Keep the peaks for the records to come, and say where; they are shown in any case."""
    if not (peaks.bandwidths or peaks.products):
        return Finding(check="peaks", level="warning", figure="none could be measured")
    try:
        path = store_peaks(peaks)
    except OSError as error:
        advice = "They are shown all the same. Set XDG_CACHE_HOME to a folder that can be written."
        figure = f"not kept: {error.strerror}: {error.filename}"
        return Finding(check="peaks", level="warning", figure=figure, advice=advice)
    return Finding(check="peaks", figure=f"kept in {path}")


def peaks_finding(peaks: Peaks | None) -> Finding:
    """Say whether this machine's peaks were measured, and when."""
    if peaks is None:
        advice = "opperf doctor --peaks measures them; records then say how near they came."
        return Finding(check="peaks", level="note", figure="never measured here", advice=advice)
    return Finding(check="peaks", figure=f"measured {peaks.measured_at[:10]}")

"""How far a comparison goes, as its flags say: sessions, the smallest change, the metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.pairs.flags import parse_share
from opperf.comparing.campaign import TIME, Rules
from opperf.comparing.signed_rank import FEWEST, FIRST, MOST
from opperf.core.errors import UsageError, unknown
from opperf.measuring.probes import probed_names
from opperf.reporting.metrics import refuse_of_the_time
from opperf.reporting.text import clean
from opperf.storing.manifest_parts import MOST_SESSIONS

if TYPE_CHECKING:
    from argparse import Namespace


def rules_of(arguments: Namespace, metric: str) -> Rules:
    """Return how far the comparison of a metric goes."""
    usual = {"sessions": FIRST, "most_sessions": MOST}
    for flag in usual:
        value = getattr(arguments, flag)
        if value is not None and not 1 <= value <= MOST_SESSIONS:
            name = flag.replace("_", "-")
            raise UsageError(f"--{name} {value}: must be from 1 to {MOST_SESSIONS}")
    first, most = (
        getattr(arguments, flag) or (FEWEST if arguments.quick else number)
        for flag, number in usual.items()
    )
    return Rules(
        first=min(first, most),
        most=most,
        min_effect=parse_share(arguments.min_effect),
        metric=metric,
    )


def measurable(name: str) -> str:
    """Return the name of a metric that two arms can yield.

    Raises:
        UsageError: It follows from the time, or there is none of that name.
    """
    refuse_of_the_time(name)
    if name != TIME and name not in probed_names():
        raise UsageError(unknown("metric", clean(name), [TIME, *probed_names()]))
    return name

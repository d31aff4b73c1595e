"""`opperf resume SUBMISSION --fleet`: what failed or was cancelled is planned again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.fleet.asking import meet_fleet
from opperf.cli.fleet.outcome import output_of
from opperf.cli.fleet.running import await_outcome
from opperf.core.errors import UsageError
from opperf.fleet.extra import naming_the_extra

if TYPE_CHECKING:
    from argparse import Namespace

OF_RUNS = {
    "unreliable": "hosts measure noisy rows again by themselves",
    "wait": "hosts take turns by themselves",
    "top": "a fleet takes no calls of networks",
    "by": "a fleet takes no calls of networks",
}
"""Flags of a run on this machine, and why a fleet's submission has no use for them."""


def resume_on_fleet(arguments: Namespace) -> int:
    """Plan again what ended without results, wait for all of the submission, and show it.

    Raises:
        UsageError: There is no such submission, the scheduler does not have it, or no host fits.
    """
    for flag, reason in OF_RUNS.items():
        if getattr(arguments, flag):
            raise UsageError(f"--{flag}: does not go with --fleet, {reason}")
    with naming_the_extra():
        from opperf.fleet.client.progress import find_submission
        from opperf.fleet.client.resubmission import resubmit
        from opperf.fleet.store import changing

        store, require_known = meet_fleet(arguments)
        with changing(store) as connection:
            name = find_submission(connection, arguments.run)
        require_known(name)
        output = output_of(store, name, arguments)
        found = resubmit(store, name)
    for line in found.refused:
        say(line)
    if found.refused and not found.planned:
        raise UsageError(f"nothing of {name} could be planned again")
    if not output.quiet:
        say(f"{found.planned} jobs of {name} planned again")
    return await_outcome(arguments, store, name, output)

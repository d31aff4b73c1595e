"""Loading the frameworks of a run that is there already."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.core.errors import OpperfError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.measuring.campaign import Campaign
    from opperf.storing import RunDirectory


@contextmanager
def loading(campaign: Campaign, directory: RunDirectory) -> Iterator[None]:
    """Load the frameworks of a run that is there already, and note their versions in it.

    Ctrl-C while they load leaves it to be gone on with; what cannot be measured at all leaves none.
    """
    ready = False
    try:
        with campaign.children():
            ready = True
            directory.add_packages(campaign.packages())
            yield
    except KeyboardInterrupt:
        say(f"go on with: opperf resume {directory.run_id}")
        raise
    except OpperfError:
        if not ready:
            directory.remove_empty()
        raise

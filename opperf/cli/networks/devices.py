"""What several devices cannot be asked for together with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.configuration.settings import LAID_OUT
from opperf.core.errors import UsageError
from opperf.core.machine.affinity import usable_processors

if TYPE_CHECKING:
    from opperf.core.configuration.options import Configuration
    from opperf.networks.request import ModelRequest


def refuse_devices(
    request: ModelRequest, configuration: Configuration, threads: int, *, oversubscribe: bool
) -> None:
    """Refuse processes that would take turns, and those whose memory is to be laid out.

    Raises:
        UsageError: they cannot be measured so.
    """
    if request.devices == 1:
        return
    process = configuration["process"]
    if process.value == LAID_OUT and process.origin != "default":
        raise UsageError(
            f"--process {LAID_OUT}: the processes of several devices are plain; leave it out"
        )
    processors = usable_processors()
    if request.processes * threads > processors and request.device == "cpu" and not oversubscribe:
        raise UsageError(
            f"--processes {request.processes} of --threads {threads}: {processors} processors can "
            "be used here; give fewer, or --oversubscribe to let them take turns"
        )

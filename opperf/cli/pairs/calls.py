"""A comparison of a network's calls in two arms: what is asked for, and what was kept of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.calls.capturing.source import BUILTIN, FACTORY, TRAINING, Source
from opperf.calls.format.values import call_from
from opperf.calls.measuring.casting import cast_away
from opperf.calls.measuring.plan import dtype_of, without_counts
from opperf.calls.reading.reading import read_calls
from opperf.cli.calls.asked import dtype_asked, frameworks_of_calls
from opperf.cli.calls.run import FILE, kept_calls
from opperf.cli.common.manifest import selection_from
from opperf.cli.common.messages import say
from opperf.cli.common.options import devices_of, memory_of, threads_of
from opperf.cli.pairs.selection import frameworks_in
from opperf.comparing.campaign import TIME
from opperf.comparing.networks.jobs import NetworkJobs, network_jobs
from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError, quote_path
from opperf.measuring.probes import probe_of
from opperf.measuring.probes.probe import FreshProbe
from opperf.planning.selection import Selection

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Mapping, Sequence

    from opperf.calls.format.model import CallsRecord
    from opperf.comparing.arms.arm import ArmSpec
    from opperf.core.configuration.options import Configuration
    from opperf.storing import RunDirectory


def add_network(parser: ArgumentParser) -> None:
    """Add the flags that name a network's calls, and the network."""
    parser.add_argument(
        "--calls", metavar="FILE",
        help="compare each distinct call of a network, and predict the change of its step",
    )  # fmt: skip
    step = parser.add_mutually_exclusive_group()
    step.add_argument(
        "--network", metavar="NAME",
        help="what the step is measured on as well: PKG.MODULE:FACTORY or a network of ours "
        "(default: the one that the calls were captured from, if it is of ours)",
    )  # fmt: skip
    step.add_argument(
        "--no-network", action="store_true", help="compare the calls, and measure no whole step"
    )


@dataclass(frozen=True, kw_only=True)
class AskedNetwork:
    """What is compared of a network: which calls, and what its step is made from again."""

    record: CallsRecord
    selection: Selection
    sources: Sequence[Source]
    jobs: NetworkJobs

    @property
    def manifest(self) -> dict[str, Any]:
        """What run.json says of it."""
        return {"calls": FILE, "networks": [asdict(source) for source in self.sources]}


def asked_network(
    arguments: Namespace, configuration: Configuration, arms: Mapping[str, ArmSpec], metric: str
) -> AskedNetwork | None:
    """Return what is compared of a network, None where declared operators are.

    Raises:
        UsageError: the calls cannot be read, or a flag does not go with them.
    """
    if arguments.calls is None:
        if arguments.network is not None or arguments.no_network:
            raise UsageError("--network and --no-network are of a network's calls: give --calls")
        return None
    if arguments.input:
        raise UsageError("--input does not go with --calls: a call has its own arguments")
    if metric != TIME and isinstance(probe_of(metric), FreshProbe):
        raise UsageError(
            f"--metric {metric} does not go with --calls: calls are compared by time, instructions "
            "or energy"
        )
    record = read_calls(Path(arguments.calls), say)
    frameworks = frameworks_of_calls(record, configuration)
    if frameworks != (record.framework,):
        raise UsageError(
            f"--framework {','.join(frameworks)}: the calls of {quote_path(record.network)} are "
            f"{record.framework}'s own operators; `opperf run --calls` measures them elsewhere"
        )
    if (named := frameworks_in(arms)) and named != frameworks:
        raise UsageError(
            f"the arms require {' '.join(named)}; the calls of {quote_path(record.network)} are "
            f"{record.framework}'s own operators"
        )
    selection = Selection(
        text=arguments.filter,
        frameworks=frameworks,
        devices=devices_of(configuration),
        threads=threads_of(configuration),
        dtype=dtype_asked(configuration),
        settings=Settings(seed=configuration["seed"].value, threads=threads_of(configuration)[0]),
        memory_limit=memory_of(configuration),
    )
    is_wanted = metric == TIME and not arguments.no_network
    name = arguments.network or (record.network if record.kind == BUILTIN else None)
    absence = why_unmeasured(name, record, selection) if is_wanted else None
    sources = sources_of(name, record, selection) if is_wanted and name and not absence else []
    jobs = network_jobs(record, selection, sources)
    if absence:
        say(absence)
    return AskedNetwork(record=record, selection=selection, sources=sources, jobs=jobs)


def why_unmeasured(name: str | None, record: CallsRecord, selection: Selection) -> str | None:
    """Return why a network's step is not measured, None where it is.

    A file may name a network of ours, and no code of anybody else's: that takes the flag.
    """
    if name is None:
        network = quote_path(record.network)
        return f"the step of {network} is not measured: --network says what makes it again"
    if is_cast(record, dtype_of(selection)):
        return f"the step is not measured: the network is not made in {selection.dtype}"
    return None


def sources_of(name: str, record: CallsRecord, selection: Selection) -> list[Source]:
    """Return what the network is made from again on each device."""
    return [
        Source(
            kind=FACTORY if ":" in name else BUILTIN,
            name=name,
            batch=record.batch,
            mode=record.mode or TRAINING,
            device=device,
        )
        for device in selection.devices
    ]


def is_cast(record: CallsRecord, dtype: str | None) -> bool:
    """Return whether calls are measured in another element type than they were captured in."""
    return any(cast_away(call_from(without_counts(call)), dtype) for call in record.calls)


def kept_network(directory: RunDirectory, manifest: Mapping[str, Any]) -> NetworkJobs | None:
    """Return the jobs of a comparison of a network's calls, None where it is of operators.

    Raises:
        UsageError: its calls cannot be read.
    """
    record = kept_calls(directory, manifest)
    if record is None:
        return None
    sources = [Source(**source) for source in manifest.get("networks", ())]
    return network_jobs(record, selection_from(manifest["selection"]), sources)

"""The child that runs a network once for its calls, and then for its time.

It is started as `opperf.measuring.children.timing` is. What a factory of a user's own does to its
process ends with it.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Any

from opperf.calls.capturing.growth import BatchSteps, growth_of_calls, other_batches
from opperf.calls.capturing.source import FACTORY, Source
from opperf.core.configuration.settings import Settings
from opperf.core.environment import collect
from opperf.core.errors import OpperfError, UsageError, error_text
from opperf.core.frameworks.workload import Work, no_op_like
from opperf.core.memory.heap import holes_filled
from opperf.core.results.record import now
from opperf.core.statistics.summary import summarize
from opperf.core.timing.measure import measure, time_first_call
from opperf.core.timing.page_faults import count_faults, seconds_per_fault
from opperf.measuring.children.timing import serve
from opperf.measuring.worker.state import changes, state_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.calls.capturing.source import Network
    from opperf.core.frameworks.framework import Framework
    from opperf.measuring.children.timing import Answer

PROFILED, MOST_PROFILED = 1.0, 10
"""Seconds of steps under the profiler, and how many at most."""


def main(arguments: Sequence[str]) -> None:
    """Capture network by network until told no more."""
    serve(arguments, profile)


def profile(message: Mapping[str, Any], framework: Framework, answer: Answer) -> None:
    """Answer with a network's calls and its time, or with the reason why there are none."""
    source = Source(**message["source"])
    try:
        step = step_calls(message, source, framework, answer)
        if step is not None:
            answer_growth(step, source, framework, answer)
    except OpperfError as error:
        answer("refused", reason=str(error))
    except Exception as error:  # noqa: BLE001 - whatever a network of somebody's raises
        answer("refused", reason=f"{source.text}: a step raised {error_text(error)}")
    else:
        answer("done", idle=0, changed=[])


def step_calls(
    message: Mapping[str, Any], source: Source, framework: Framework, answer: Answer
) -> BatchSteps | None:
    """Answer with a network's calls and its time; return the calls where their batch is known."""
    network = opened(source, framework)
    answer("network", batch=network.batch, parameters=network.parameters)
    work = step_of(network, source, framework)
    answer("stepped", seconds=time_first_call(work))
    calls = network.calls()
    for call in calls:
        answer("call", call=call)
    if message["timed"]:
        settings = Settings(**message["settings"])
        answer("timed", measured=timed(network, work, settings, framework))
    return BatchSteps(network.batch, calls, network.order) if network.batch else None


def answer_growth(step: BatchSteps, source: Source, framework: Framework, answer: Answer) -> None:
    """Answer how each call grows with the batch, or why nobody knows."""
    steps = [step]
    try:
        for batch in other_batches(step.batch):
            network = opened(replace(source, batch=batch), framework)
            if network.batch != batch:
                raise UsageError(f"asked for batch {batch}, it has {network.batch}")  # noqa: TRY301
            network.step()  # what is made once must not be taken for a call of each step
            steps.append(BatchSteps(batch, network.calls(), network.order))
            del network  # the next one may need the memory
            answer("batch", batch=batch)
    except Exception as error:  # noqa: BLE001 - the calls are known all the same
        answer("batchless", reason=error_text(error))
        return
    growth = growth_of_calls(steps)
    if not any(growth):
        same = len({len(one.order) for one in steps}) == 1
        reason = "no call of it is larger" if same else "it makes another number of calls"
        answer("batchless", reason=f"{reason} with another batch")
        return
    for number, found in enumerate(growth):
        if found is not None:
            answer("growth", growth={"call": number, "per_example": found})


def opened(source: Source, framework: Framework) -> Network:
    """Return the network, whose factory has left the process as it was.

    Raises:
        UsageError: it cannot be made, or its factory has not.
    """
    networks = framework.networks()
    if networks is None:
        raise UsageError(f"{source.text}: {framework.name} captures no networks")
    framework.seed(0)
    before = state_of(framework.facts()) | networks.state()
    try:
        network: Network = networks.open(source)
    finally:  # what it has changed may be why there is none
        changed = changes(before, state_of(framework.facts()) | networks.state())
        if source.kind == FACTORY and changed:
            what = ", ".join(changed)
            raise UsageError(f"{source.text} changed its process ({what}); let it undo that")
    return network


def step_of(network: Network, source: Source, framework: Framework) -> Work:
    """Return the network's whole step, awaited, as what is timed."""
    return Work(
        device=framework.device(source.device),
        steps=partial(repeat, network.step),
        no_op=no_op_like(network.step),
    )


def timed(network: Network, work: Work, settings: Settings, framework: Framework) -> dict[str, Any]:
    """Return the seconds of a step by the timing core, and the profiler's of each operator."""
    first = time_first_call(work)
    steps = min(max(int(PROFILED / max(first, 1e-9)), 1), MOST_PROFILED)
    profiled = network.profile(steps)
    with holes_filled():
        samples = measure(framework.tune(work), settings, first_call=first)
        faults = count_faults(partial(time_first_call, work))
    summary = summarize(samples.times())
    return {
        "seconds": summary.median,
        "interval": summary.interval,
        "samples": summary.n,
        "threads": settings.threads,
        "process": settings.process,
        "stop_reason": samples.stop_reason,
        "noise": samples.noise and asdict(samples.noise),
        "machine_key": collect(framework.facts())["machine_key"],
        "measured_at": now(),
        "profiler": profiled.operators,
        "profiled_seconds": profiled.seconds,
        "page_faults": faults,
        "seconds_per_fault": seconds_per_fault(),
    }

"""What the facts of the environment mean for measuring: a finding each, with advice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.environment.files import ROOT, read_fields, read_integer, read_text
from opperf.core.finding import Finding
from opperf.core.frameworks.registry import MEASURED, find_framework
from opperf.core.units import format_bytes, format_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    Facts = Mapping[str, Any]

SLOW_READ = 200e-9
COARSE = 1e-6
HIDDEN = "cannot be seen here"
HOST = "In a virtual machine the host decides; compare within one session, in turns."
SLOW_GOVERNORS = ("powersave", "ondemand", "conservative", "schedutil", "userspace")


def check_facts(facts: Facts, root: Path = ROOT) -> list[Finding]:
    """Return a finding a fact, in the order of clock, processor, memory, neighbors, software.

    Args:
        facts: what `opperf.core.environment.collect` returned.
        root: where /proc and /sys are looked for.
    """
    checks = (machine, clock, speed, processors, memory, surroundings, gpu, frameworks)
    return [finding for check in checks for finding in check(facts, root)]


def machine(facts: Facts, root: Path) -> Iterator[Finding]:
    """Yield which machine this is; its peaks are kept under its key."""
    del root
    shown = [facts["cpu"], facts["os"], f"key {facts['machine_key']}"]
    yield Finding(check="machine", figure=", ".join(str(one) for one in shown if one))


def clock(facts: Facts, root: Path) -> Iterator[Finding]:
    """Yield what the clock resolves and what a reading costs."""
    source = read_text(root / "sys/devices/system/clocksource/clocksource0/current_clocksource")
    found = facts["clock"]
    cost, resolution = found["read_cost"], found["resolution"]
    slow = cost > SLOW_READ or resolution > COARSE
    yield Finding(
        check="clock",
        level="warning" if slow else "ok",
        figure=f"{format_seconds(resolution, 0.05)} resolution, "
        f"{format_seconds(cost, 0.05)} a reading" + (f", source {source}" if source else ""),
        value=cost,
        unit="s",
        advice="Let the kernel take the processor's own counter (clocksource=tsc)." if slow else "",
    )


def speed(facts: Facts, root: Path) -> Iterator[Finding]:
    """Yield what sets the processor's clock rate: governor, boost, throttling."""
    governor = facts["governor"]
    unseen = Finding(check="governor", level="note", figure=HIDDEN, advice=HOST)
    slow = governor in SLOW_GOVERNORS
    advice = "Keep the rate up: sudo cpupower frequency-set -g performance" if slow else ""
    yield (
        unseen
        if governor is None
        else Finding(
            check="governor", level="warning" if slow else "ok", figure=str(governor), advice=advice
        )
    )
    boost = facts["boost"]
    yield Finding(
        check="boost",
        level="ok" if boost is False else "note",
        figure=HIDDEN if boost is None else "on" if boost else "off",
        advice="The rate falls with heat and with other cores' load; switch boost off where "
        "numbers must repeat from day to day." if boost else "",
    )  # fmt: skip
    yield throttling(root)


def throttling(root: Path) -> Finding:
    """Return how often the processor slowed down for heat since the machine started."""
    files = (root / "sys/devices/system/cpu").glob("cpu*/thermal_throttle/core_throttle_count")
    counts = [read_integer(file) for file in files]
    known = [count for count in counts if count is not None]
    if not known:
        return Finding(check="throttling", level="note", figure=HIDDEN)
    return Finding(
        check="throttling",
        level="note" if sum(known) else "ok",
        figure=f"{sum(known)} times for heat since the machine started",
        value=float(sum(known)),
        unit="1",
        advice="Let the machine cool, and measure again." if sum(known) else "",
    )


def processors(facts: Facts, root: Path) -> Iterator[Finding]:
    """Yield how many processors there are, and whose they are."""
    del root
    cores, physical, allowed = facts["cores"], facts["physical_cores"], facts["affinity"]
    fewer = allowed is not None and cores is not None and len(allowed) < cores
    yield Finding(
        check="threads",
        level="note" if fewer else "ok",
        figure=f"{cores} processors" + (f", {len(allowed)} allowed to us" if fewer else ""),
        value=cores,
        unit="processors",
        advice="Ask for no more --threads than are allowed." if fewer else "",
    )
    smt = facts["smt"]
    yield Finding(
        check="SMT",
        level="note" if smt else "ok",
        figure=HIDDEN if smt is None else f"on, {physical} cores" if smt else "off",
        advice="Two processors share a core: give --threads no more than there are cores."
        if smt
        else "",
    )
    if facts["hypervisor"]:
        yield Finding(
            check="virtual machine",
            level="note",
            figure="yes",
            advice="Who else runs on the host cannot be seen, only felt: see steal and noise.",
        )


def memory(facts: Facts, root: Path) -> Iterator[Finding]:
    """Yield how pages are placed, and whether memory is short."""
    policy = facts["huge_pages"]
    random = policy == "always"
    yield Finding(
        check="huge pages",
        level="note" if random else "ok",
        figure=HIDDEN if policy is None else str(policy),
        advice="Large tensors get huge pages by chance, and differ from process to process; "
        "madvise would keep them alike." if random else "",
    )  # fmt: skip
    fields = read_fields(root / "proc/meminfo")
    swapped = kilobytes(fields.get("SwapTotal")) - kilobytes(fields.get("SwapFree"))
    free = kilobytes(fields.get("MemAvailable"))
    yield Finding(
        check="memory",
        level="warning" if swapped > 0 else "ok",
        figure=(f"{format_bytes(free)} free" if free else HIDDEN)
        + (f", {format_bytes(swapped)} swapped out" if swapped > 0 else ""),
        value=float(free) if free else None,
        unit="B",
        advice="Close programs: what is swapped out comes back at random." if swapped > 0 else "",
    )


def kilobytes(text: str | None) -> int:
    """Return the bytes that "12 kB" stands for, zero for anything else."""
    number, _, unit = (text or "").partition(" ")
    return int(number) * 1024 if unit == "kB" and number.isdigit() else 0


def surroundings(facts: Facts, root: Path) -> Iterator[Finding]:
    """Yield the container's limits, and the load before we began."""
    del root
    container = facts["container"] or {}
    quota, limit, cores = container.get("cpu_quota"), container.get("memory_limit"), facts["cores"]
    limits = [f"{quota:.3g} processors"] if quota else []
    limits += [format_bytes(limit)] if limit else []
    tight = bool(quota and cores and quota < cores)
    yield Finding(
        check="container",
        level="warning" if tight else "note" if limits else "ok",
        figure=", ".join(limits) or "no limits",
        advice="At its limit the whole process is stopped for parts of each 0.1 s: give it whole "
        "processors, and --threads no more than these." if tight else "",
    )  # fmt: skip
    load = facts["load_average"]
    if load:
        busy = load[0] > 0.5  # noqa: PLR2004 - half a processor
        yield Finding(
            check="load",
            level="note" if busy else "ok",
            figure=f"{load[0]:.2f} on average over the last minute",
            value=load[0],
            unit="processors",
            advice="Something ran here just now." if busy else "",
        )


def gpu(facts: Facts, root: Path) -> Iterator[Finding]:
    """Yield the names of the GPUs, and why their clocks cannot be read."""
    del root
    names = facts["gpu"] or []
    reason = facts.get("gpu_state_reason")
    yield Finding(
        check="GPU",
        figure=", ".join(names) or "none",
        level="note" if names and reason else "ok",
        advice=f"Its clocks and its throttling cannot be seen: {reason}"
        if names and reason
        else "",
    )


def frameworks(facts: Facts, root: Path) -> Iterator[Finding]:
    """Yield which frameworks are installed."""
    del root
    for name in MEASURED:
        framework = find_framework(name)
        here = framework.is_installed()
        version = (facts["packages"] or {}).get(framework.module)
        yield Finding(
            check=name,
            level="ok" if here else "note",
            figure=str(version or "installed") if here else "not installed",
            advice="" if here else f"pip install 'opperf[{framework.extra}]'",
        )

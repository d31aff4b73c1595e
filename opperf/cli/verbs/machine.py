"""Create, start, stop or delete a machine of SkyPilot, Slurm or Kubernetes, or say how it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.common.messages import leaving_early, say
from opperf.cli.common.options import refuse_half_characters
from opperf.cli.running.interrupt import terminable
from opperf.core.errors import UsageError
from opperf.core.units import parse_bytes, parse_seconds
from opperf.machines.engines import ENGINES, find_engine
from opperf.machines.machine import MachineSpec, own_name
from opperf.machines.program import perform

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

STEPS = {
    "create": "make one, and print what the engine says of it",
    "status": "say how it is",
    "start": "have it run again",
    "stop": "have it rest, so that it can be started again",
    "delete": "remove it for good",
}
LONGEST = "1h"
"""How long an engine's program may take: a cloud looks for GPUs."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the five things that can be done."""
    steps = parser.add_subparsers(dest="step", metavar="|".join(STEPS), required=True)
    for name, what in STEPS.items():
        step = steps.add_parser(name, help=what, description=what, allow_abbrev=False)
        add_machine(step)
        if name == "create":
            add_creation(step)
        if name == "delete":
            step.add_argument("--yes", action="store_true", help="really; nothing of it is kept")


def add_machine(parser: ArgumentParser) -> None:
    """Add which machine of which engine."""
    parser.add_argument("--engine", required=True, metavar="|".join(ENGINES), help="what has it")
    parser.add_argument(
        "--name", default=own_name(), help="what it is called (default: opperf and the user's name)"
    )
    parser.add_argument("--namespace", metavar="NAME", help="of Kubernetes")
    parser.add_argument("--context", metavar="NAME", help="the cluster, of Kubernetes")
    parser.add_argument(
        "--time-limit", metavar="TIME", default=LONGEST,
        help="end the engine's program after so long (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--print-command", action="store_true", help="print the command, and call nothing"
    )


def add_creation(parser: ArgumentParser) -> None:
    """Add what a machine has and does."""
    parser.add_argument("--gpus", metavar="[MODEL:]N", help="as 8 or A100:8")
    parser.add_argument("--cpus", type=int, metavar="N", help="processors, at least")
    parser.add_argument("--memory", metavar="BYTES", help="as 64GiB, at least")
    parser.add_argument("--image", metavar="NAME:TAG", help="the container (SkyPilot, Kubernetes)")
    parser.add_argument(
        "--lifetime", metavar="TIME", help="end it after so long, as 8h (Slurm, Kubernetes)"
    )
    parser.add_argument(
        "--idle-stop", metavar="TIME", help="stop it after so long without work (SkyPilot)"
    )
    parser.add_argument("--infra", metavar="CLOUD", help="as aws/us-east-1 (SkyPilot)")
    parser.add_argument("--partition", metavar="NAME", help="of Slurm")
    parser.add_argument(
        "--node-label", action="append", default=[], metavar="KEY=VALUE",
        help="which nodes may have it (Kubernetes)",
    )  # fmt: skip
    parser.add_argument(
        "--engine-option", action="append", default=[], metavar="WORD",
        help="a further word for the engine's program, as --engine-option=--account=us",
    )  # fmt: skip
    parser.add_argument(
        "command", nargs="*", metavar="COMMAND",
        help="behind --: what it does (default: it waits for you)",
    )  # fmt: skip


def execute(arguments: Namespace) -> int:
    """Call the engine, or print what it would be called with."""
    refuse_half_characters(arguments.given)
    engine = find_engine(arguments.engine)
    spec = spec_of(arguments)
    call = engine.call(arguments.step, spec)
    if arguments.print_command:
        with leaving_early():
            print(call.shell())
        return 0
    if arguments.step == "delete" and not arguments.yes:
        raise UsageError(f"this deletes {spec.name} and what is on it; give --yes to have it done")
    with terminable():
        perform(call, engine.source, parse_seconds(arguments.time_limit))
    if arguments.step == "create" and not spec.command:
        say(f"once it runs, enter it by: {engine.entry(spec)}")
    return 0


def spec_of(arguments: Namespace) -> MachineSpec:
    """Return the machine that is asked for."""
    named = {"name": arguments.name, "namespace": arguments.namespace, "context": arguments.context}
    if arguments.step != "create":
        return MachineSpec(**named)
    return MachineSpec(
        **named,
        gpus=arguments.gpus,
        cpus=arguments.cpus,
        memory=parse_bytes(arguments.memory) if arguments.memory else None,
        image=arguments.image,
        lifetime=parse_seconds(arguments.lifetime) if arguments.lifetime else None,
        idle=parse_seconds(arguments.idle_stop) if arguments.idle_stop else None,
        infra=arguments.infra,
        partition=arguments.partition,
        labels=tuple(arguments.node_label),
        options=tuple(arguments.engine_option),
        command=tuple(arguments.command),
    )

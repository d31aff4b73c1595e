"""Capture the operator calls of a network, and the time of its step, into a calls file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.calls.capturing.capturing import CaptureRequest, capture
from opperf.calls.capturing.source import BUILTIN, FACTORY, MODES, TRAINING, Source
from opperf.calls.format.file import write_calls
from opperf.cli.common.messages import say, teller
from opperf.cli.common.options import (
    add_options,
    add_oversubscribe,
    configuration_of,
    devices_of,
    limits_of,
    memory_of,
    refuse_too_many,
    settings_of,
    threads_of,
)
from opperf.cli.common.output import check_writable
from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError, quote
from opperf.core.frameworks.registry import MEASURED, find_framework, require_installed
from opperf.core.units import format_seconds

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from opperf.calls.format.model import CallsRecord
    from opperf.core.configuration.options import Configuration

SYMBOL = "symbol"
KINDS = {
    "builtin": ("NAME", "a network of ours, such as resnet50 or bert_base"),
    "transformers": ("CONFIG", "a model type or a configuration of transformers, such as bert"),
    "torchvision": ("NAME", "a model of torchvision"),
    "model_zoo": ("NAME", "a classifier of MXNet's gluon.model_zoo.vision, such as resnet18_v1"),
    SYMBOL: ("FILE.json", "a symbol that MXNet has written"),
}
OF = {"transformers": "pytorch", "torchvision": "pytorch", "model_zoo": "mxnet", SYMBOL: "mxnet"}
"""The framework of those that only one has."""
SIZES = re.compile(r"[1-9]\d{0,9}(,[1-9]\d{0,9})*")
SUFFIX = ".calls.json"
BUDGET, WARMUP = 10.0, 1
"""Seconds of samples of a whole network, and the steps before them beside those of the capture."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the flags of this verb."""
    network = parser.add_mutually_exclusive_group(required=True)
    network.add_argument(
        "factory", nargs="?", metavar="PKG.MODULE:FACTORY",
        help="a function that returns a network, its example inputs, and a loss if it likes",
    )  # fmt: skip
    for kind, (metavar, purpose) in KINDS.items():
        also = ["--model"] if kind == BUILTIN else []
        network.add_argument(flag(kind), *also, metavar=metavar, help=purpose)
    parser.add_argument(
        "--input", action="append", default=[], metavar="NAME=SIZES",
        help="the shape of an input of a symbol, such as data=1,3,224,224; again for another",
    )  # fmt: skip
    parser.add_argument(
        "--batch", type=int, metavar="N", help="examples a step (default: the network's own)"
    )
    parser.add_argument(
        "--mode", "--phase", choices=MODES, default=TRAINING,
        help="forward, loss and backward, or a forward alone (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--no-time", action="store_true", help="capture the calls, time no step")
    parser.add_argument(
        "-o", "--output-file", metavar="FILE",
        help=f"where to (default: the network's name and {SUFFIX} in this folder)",
    )  # fmt: skip
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    add_options(
        parser,
        ["framework", "device", "threads", "budget", "process", "timeout", "memory_limit"],
    )
    add_oversubscribe(parser)


def execute(arguments: Namespace) -> int:
    """Capture, write the file, and say what is in it."""
    configuration = configuration_of(arguments)
    if not arguments.oversubscribe:
        refuse_too_many(threads_of(configuration))
    source = source_of(arguments, devices_of(configuration)[0])
    wanted = CaptureRequest(
        source=source,
        framework=framework_of(source.kind, configuration),
        limits=limits_of(configuration, memory_of(configuration)),
        settings=network_settings(configuration),
        timed=not arguments.no_time,
    )
    path = Path(arguments.output_file or f"{file_name(source.name)}{SUFFIX}")
    check_writable(path, force=arguments.force)
    record = capture(wanted, teller(quiet=arguments.quiet))
    write_calls(record, path)
    for line in summary(record):
        print(line)
    if not arguments.quiet:
        say(f"written to {path}")
    return 0


def source_of(arguments: Namespace, device: str) -> Source:
    """Return the one network that is named.

    Raises:
        UsageError: the batch is none.
    """
    kind = next((kind for kind in KINDS if getattr(arguments, kind)), FACTORY)
    if arguments.batch is not None and arguments.batch < 1:
        raise UsageError(f"--batch {arguments.batch}: must be a whole number of at least 1")
    if arguments.batch is not None and kind == SYMBOL:
        raise UsageError(f"--batch {arguments.batch}: a symbol's --input says the batch")
    if arguments.input and kind != SYMBOL:
        raise UsageError(f"--input {arguments.input[0]}: only a --symbol takes shapes of inputs")
    return Source(
        kind=kind, name=getattr(arguments, kind), batch=arguments.batch, mode=arguments.mode,
        device=device, inputs=dict(map(input_of, arguments.input)),
    )  # fmt: skip


def flag(kind: str) -> str:
    """Return the flag that names a network of a kind."""
    return f"--{kind.replace('_', '-')}"


def input_of(text: str) -> tuple[str, tuple[int, ...]]:
    """Return an input's name and its shape.

    Raises:
        UsageError: it is no NAME=SIZES.
    """
    name, _, sizes = text.rpartition("=")
    found = SIZES.fullmatch(sizes)
    if not name or found is None:
        raise UsageError(f"--input {quote(text)}: must be NAME=SIZES, such as data=1,3,224,224")
    return name, tuple(map(int, sizes.split(",")))


def framework_of(kind: str, configuration: Configuration) -> str:
    """Return the framework that is named, else the one that has such networks, else PyTorch.

    Raises:
        UsageError: several are named, another one has such networks, or it is not installed.
    """
    named = configuration["framework"].value or ()
    if len(named) > 1:
        raise UsageError(f"--framework {','.join(named)}: a network is captured in one")
    only = OF.get(kind)
    if only and named and named[0] != only:
        raise UsageError(f"{flag(kind)} is of {only}; --framework {named[0]} has none")
    installed = [name for name in reversed(MEASURED) if find_framework(name).is_installed()]
    name = only or (named or installed or ("pytorch",))[0]
    require_installed(find_framework(name))
    return name


def network_settings(configuration: Configuration) -> Settings:
    """Return how a step is timed: longer than an operator, whose budget is a fraction of a step."""
    settings = settings_of(configuration)
    asked = configuration["budget"].origin != "default"
    values = {
        name: getattr(settings, name) for name in ("threads", "process", "precision", "cores")
    }
    return Settings(**values, warmup=WARMUP, budget=settings.budget if asked else BUDGET)


def file_name(name: str) -> str:
    """Return a network's name as a file has it."""
    last = Path(name).name if "/" in name else name
    return re.sub(r"[^\w.-]+", "_", last.removesuffix(".json")).strip("_.") or "network"


def summary(record: CallsRecord) -> list[str]:
    """Return how many calls there are, and how long a step takes."""
    operators = {call.operator for call in record.calls}
    made = sum(call.count for call in record.calls)
    batch = f", batch {record.batch}" if record.batch else ""
    lines = [
        f"{record.network}: {record.framework} {record.framework_version}, {record.mode}{batch}",
        f"{made} calls, {len(record.calls)} distinct ones of {len(operators)} operators",
    ]
    if measured := record.measured:
        low, high = measured["interval"] or (None, None)
        between = "" if low is None else f" ({format_seconds(low)} to {format_seconds(high)})"
        profiled = format_seconds(sum(measured["profiler"].values()))
        lines.append(f"a step takes {format_seconds(measured['seconds'])}{between}")
        lines.append(f"operators by the framework's profiler take {profiled} of one")
    return lines

"""The flags of `opperf model`, with the names and defaults of dlbs's pytorch_benchmarks."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote, unknown
from opperf.legacy.spellings import device_name
from opperf.networks.data.request import BACKENDS, DataRequest
from opperf.networks.port import check_port
from opperf.networks.registry import find_entry
from opperf.networks.request import DTYPES, INFERENCE, PHASES, ModelRequest

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from opperf.core.configuration.options import Configuration

WORDS = {"true": True, "on": True, "yes": True, "t": True, "1": True,
         "false": False, "off": False, "no": False, "f": False, "0": False}  # fmt: skip
GPU = "gpu"
OWN_FLAGS = ("input_size", "data_per_batch", "strict_data", "model_dir", "processes", "port")
"""What the document does not have, so that experiment files do not say it either."""
BATCH_SIZE, NUM_BATCHES, NUM_WARMUP_BATCHES, NUM_GPUS, THREADS = 16, 100, 1, 1, 4
MOST = 2**31 - 1
EXACTLY = (
    f"time just so many steps (default: {NUM_BATCHES}, or fewer where the time is precise enough "
    "before)"
)
DATA = (
    ("cudnn_benchmark", True, "let cuDNN try its algorithms and take the fastest"),
    ("cudnn_fastest", False, "let it try all of them, whatever memory they take"),
    ("data_shuffle", False, "take the examples in another order in each epoch"),
)


def add_model_flags(parser: ArgumentParser) -> None:
    """Add the fourteen flags; each may be written with hyphens as well."""
    parser.add_argument(
        "models", nargs="*", metavar="MODEL", help="a network, such as resnet50; several in turn"
    )
    parser.add_argument(
        "--model", action="append", default=[], metavar="MODEL", help="the same, as a flag"
    )
    add_boolean(parser, "forward_only", default=False, purpose="infer, and train nothing")
    parser.add_argument(
        "--phase", choices=PHASES, help="the same: training (the default) or inference"
    )
    for name, default, least, purpose in (
        ("batch_size", BATCH_SIZE, 1, "examples that a device has in a step"),
        ("num_batches", None, 1, EXACTLY),
        ("num_warmup_batches", NUM_WARMUP_BATCHES, 0, "steps before the first that is timed"),
        ("num_gpus", NUM_GPUS, 0, "how many GPUs compute; may be 0 with a CPU"),
        ("num_loader_threads", THREADS, 0, "processes that load data ahead"),
    ):  # fmt: skip
        shown = "" if default is None else " (default: %(default)s)"
        parser.add_argument(
            *spellings(name), type=whole(least), default=default, metavar="N",
            help=f"{purpose}{shown}",
        )  # fmt: skip
    parser.add_argument(
        *spellings("data_dir"), default="", metavar="DIR",
        help="a folder of examples (default: synthetic ones, made once)",
    )  # fmt: skip
    parser.add_argument(
        *spellings("data_backend"), choices=BACKENDS, default=BACKENDS[0],
        help="how the folder holds them (default: %(default)s)",
    )  # fmt: skip
    for name, default, purpose in DATA:
        add_boolean(parser, name, default=default, purpose=purpose)
    add_own_flags(parser)


def add_own_flags(parser: ArgumentParser) -> None:
    """Add what the document does not have."""
    parser.add_argument(
        "--size", dest="input_size", type=whole(1), metavar="N",
        help="pixels, tokens or frames of an input (default: the network's usual ones)",
    )  # fmt: skip
    parser.add_argument(
        "--data-per-batch", action="store_true", help="draw each synthetic batch anew"
    )
    parser.add_argument(
        "--strict-data", action="store_true", help="fail where an example cannot be read"
    )
    parser.add_argument(
        "--processes", type=whole(1), default=1, metavar="N",
        help="train on a CPU in so many processes, each of them a device (default: 1)",
    )  # fmt: skip
    parser.add_argument(
        "--port", type=whole(0), default=0, metavar="N",
        help="where the processes of several devices meet (default: a free port)",
    )  # fmt: skip
    parser.add_argument(
        "--model-dir", action="append", default=[], metavar="DIR",
        help="a folder with files of networks of one's own in DIR/pytorch and DIR/mxnet",
    )  # fmt: skip


def spellings(name: str) -> list[str]:
    """Return a flag as the document has it, and with hyphens."""
    return list(dict.fromkeys([f"--{name}", f"--{name.replace('_', '-')}"]))


def add_boolean(parser: ArgumentParser, name: str, *, default: bool, purpose: str) -> None:
    """Add a flag that is true alone, and may be given a value."""
    parser.add_argument(
        *spellings(name), nargs="?", const=True, default=default, type=boolean,
        metavar="true|false", help=f"{purpose} (default: {str(default).lower()})",
    )  # fmt: skip


def boolean(text: str) -> bool:
    """Return what a word stands for."""
    if text.lower() not in WORDS:
        remedy = "a model's name stands before it" if text.isidentifier() else "leave it out"
        raise ArgumentTypeError(f"{quote(text)} is not true or false; {remedy}")
    return WORDS[text.lower()]


def whole(least: int) -> Callable[[str], int]:
    """Return what takes whole numbers from one on."""

    def parse(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= MOST:
            raise ArgumentTypeError(f"{quote(text)}: must be a whole number of at least {least}")
        return number

    return parse


def model_request(
    arguments: Namespace, configuration: Configuration, model: str, framework: str
) -> ModelRequest:
    """Return what is asked of a network of a framework.

    Raises:
        UsageError: there is none of the name, or a value is none.
    """
    dtype, device = configuration["dtype"].value, device_of(configuration)
    if dtype not in DTYPES:
        raise UsageError(unknown("dtype", dtype, DTYPES))
    if arguments.phase and arguments.forward_only and arguments.phase != INFERENCE:
        raise UsageError(f"--phase {arguments.phase}: --forward_only is inference")
    if arguments.num_gpus == 0 and device != "cpu":
        raise UsageError(f"--num_gpus 0: --device {device} is a GPU; give 1, or --device cpu")
    if arguments.processes > 1 and device != "cpu":
        given = arguments.processes
        raise UsageError(f"--processes {given}: on GPUs there is one each; give --num_gpus {given}")
    check_port(arguments.port)
    return ModelRequest(
        model=model,
        forward_only=arguments.forward_only or arguments.phase == INFERENCE,
        batch_size=arguments.batch_size,
        num_batches=arguments.num_batches or NUM_BATCHES,
        exact=arguments.num_batches is not None,
        num_warmup_batches=arguments.num_warmup_batches,
        num_gpus=arguments.num_gpus,
        processes=arguments.processes,
        port=arguments.port,
        device=device,
        dtype="float32" if dtype == DTYPES[0] else dtype,
        cudnn_benchmark=arguments.cudnn_benchmark,
        cudnn_fastest=arguments.cudnn_fastest,
        data=data_request(arguments, configuration),
        size=arguments.input_size,
        entry=find_entry(model, framework, folders_of(arguments)),
    )


def data_request(arguments: Namespace, configuration: Configuration) -> DataRequest:
    """Return what data is asked for."""
    return DataRequest(
        data_dir=str(Path(arguments.data_dir).absolute()) if arguments.data_dir else "",
        backend=arguments.data_backend,
        shuffle=arguments.data_shuffle,
        threads=arguments.num_loader_threads,
        resident=not arguments.data_per_batch,
        strict=arguments.strict_data,
        seed=configuration["seed"].value,
    )


def device_of(configuration: Configuration) -> str:
    """Return the one device; `gpu` is the first of them."""
    names: tuple[str, ...] = configuration["device"].value
    if len(names) > 1:
        raise UsageError(f"--device {','.join(names)}: a network has one; give one of them")
    return device_name("cuda" if names[0] == GPU else names[0])


def folders_of(arguments: Namespace) -> list[Path]:
    """Return the folders that may have networks beside ours."""
    return [Path(folder).absolute() for folder in arguments.model_dir]

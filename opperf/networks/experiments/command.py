"""What carries out one run: the words for the driver of networks, and its environment."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opperf.networks.experiments.matrix import Combination

FLAG_AND_VALUE = re.compile(r"(--[A-Za-z_][A-Za-z0-9_-]*) +(\S.*)", re.DOTALL)
"""An argument in the form of later releases of the older suite, two words in one text."""
LIBRARIES = (
    "ATEN", "CUBLAS", "CUDA", "CUDNN", "DNNL", "GLOO", "GOMP", "KMP", "MALLOC", "MKL", "MXNET",
    "NCCL", "OMP", "ONEDNN", "OPENBLAS", "PYTORCH", "TORCH",
)  # fmt: skip
VARIABLE = re.compile(rf"((?:{'|'.join(LIBRARIES)})_[A-Z0-9_]+)=([A-Za-z0-9_.,:+-]*)")
"""A number or a switch of a library; no path, from which a file could have anything loaded."""
VISIBLE = "CUDA_VISIBLE_DEVICES"


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One run of the matrix.

    Args:
        name: what tells it from the other runs, in few words.
        framework: the framework that it measures.
        arguments: what the driver of networks is told, as `--model=alexnet`.
        parameters: the values in which runs differ, or all that the file has given.
        variables: what its environment has besides.
        tags: labels of its record.
        log_file: where its log lines go, nowhere if it is empty.
        simulate: whether its command is printed only.
    """

    name: str
    framework: str
    arguments: tuple[str, ...]
    parameters: Mapping[str, Any]
    variables: Mapping[str, str]
    tags: tuple[str, ...]
    log_file: str
    simulate: bool

    @property
    def command(self) -> str:
        """What measures this run alone, as a shell takes it."""
        words = ["opperf", "model", f"--framework={self.framework}", *self.arguments]
        words += [f"--tag={tag}" for tag in self.tags]
        settings = [f"{name}={shlex.quote(value)}" for name, value in self.variables.items()]
        return " ".join([*settings, shlex.join(words)])


def experiment_of(combination: Combination) -> Experiment:
    """Return what carries out a run.

    Raises:
        UsageError: The run needs something that opperf does not have, or names no network.
    """
    framework = combination.text("exp.framework")
    if not combination.text("exp.model"):
        raise UsageError("exp.model: is empty; name a network, as `opperf model --list` has them")
    if combination.value("exp.docker") is True:
        raise UsageError("exp.docker: opperf starts no containers; set it to false")
    words = combination.value(f"{framework}.args")
    project = combination.text("exp.proj")
    names = combination.names or tuple(combination.resolver.given)
    return Experiment(
        name=" ".join(map(combination.text, combination.names)) or combination.text("exp.model"),
        framework=framework,
        arguments=tuple(split_flags(words if isinstance(words, list) else [str(words)])),
        parameters={name: combination.value(name) for name in names},
        variables=variables_of(combination, framework),
        tags=(project,) if project else (),
        log_file=combination.text("exp.log_file"),
        simulate=combination.value("exp.status") == "simulate",
    )


def split_flags(arguments: Iterable[str]) -> list[str]:
    """Return words, of which a flag and its value may have stood in one."""
    found: list[str] = []
    for argument in arguments:
        match = FLAG_AND_VALUE.fullmatch(argument)
        found += match.groups() if match else [argument]
    return found


def variables_of(combination: Combination, framework: str) -> dict[str, str]:
    """Return the environment's variables that a run asks for, and which GPUs it may see."""
    name = f"{framework}.env"
    found: dict[str, str] = {}
    for word in combination.text(name).split():
        match = VARIABLE.fullmatch(word)
        if match is None:
            raise UsageError(
                f"{name}: {quote(word)} must be NAME=value, a number or a switch of a library, as "
                "in OMP_NUM_THREADS=2; paths are set where opperf is started"
            )
        found[match[1]] = match[2]
    gpus = combination.text("exp.gpus").replace(":", ",")
    first = ",".join(map(str, range(gpus.count(",") + 1)))
    if gpus not in {"", first} and combination.value("exp.device_type") == "gpu":
        found.setdefault(VISIBLE, gpus)
    return found

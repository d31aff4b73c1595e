"""Symbols (JSON) with their parameters (.params), which are lists of arrays and no pickles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import mxnet

from opperf.core.errors import UsageError, error_text, quote
from opperf.core.frameworks.models import LoadedModel
from opperf.mxnet_benchmarks.calling.symbol_file import LABEL, load_symbol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.models import ModelFiles

MAGIC = (0x112).to_bytes(8, "little")
"""How a list of arrays begins."""
INPUTS = "inputs"


def load(framework: Framework, model: ModelFiles, device: str) -> LoadedModel:
    """Return the network of a symbol with its parameters.

    Raises:
        UsageError: one of the files cannot be read, or the parameters are not the symbol's.
    """
    framework.device(device)
    path = model.file("symbol")
    symbol = load_symbol(path, f"{model}: {path.name}")
    values = read_params(model, model.file("params"))
    variables = [name for name in symbol.list_inputs() if name not in values]
    inputs = input_names(model, variables)
    labels = [name for name in variables if name not in inputs]
    try:
        block = mxnet.gluon.SymbolBlock(
            symbol, [mxnet.sym.var(name) for name in (*inputs, *labels)]
        )
        for name, parameter in block.collect_params().items():
            fill(parameter, values[name])
    except Exception as error:
        raise UsageError(f"{model}: {path.name}: {error_text(error)}") from error
    return LoadedModel(
        inputs=inputs,
        outputs=tuple(symbol.list_outputs()),
        make_step=SymbolCall(block, symbol, inputs, tuple(labels)),
    )


@dataclass(frozen=True)
class SymbolCall:
    """The call of a symbol; labels, which only losses read in training, are zeros."""

    block: Any
    symbol: Any
    inputs: tuple[str, ...]
    labels: tuple[str, ...]

    def __call__(self, tensors: Sequence[Any]) -> Step:
        """Return the call on tensors."""
        return partial(self.block, *tensors, *self.zeros(tensors))

    def zeros(self, tensors: Sequence[Any]) -> list[Any]:
        """Return the labels that fit the inputs."""
        if not self.labels:
            return []
        given = {name: each.shape for name, each in zip(self.inputs, tensors, strict=True)}
        shapes, _, _ = self.symbol.infer_shape_partial(**given)
        found = dict(zip(self.symbol.list_arguments(), shapes, strict=True))
        return [mxnet.nd.zeros(found[name]) for name in self.labels]


def read_params(model: ModelFiles, path: Path) -> Mapping[str, Any]:
    """Return the arrays of a file by their names, without the `arg:` and `aux:` before them.

    Raises:
        UsageError: it is no list of named arrays, or damaged.
    """
    with path.open("rb") as file:
        begin = file.read(len(MAGIC))
    if begin != MAGIC:
        raise UsageError(f"{model}: {path.name} is no file of MXNet's parameters")
    try:
        arrays = mxnet.nd.load(str(path))
    except Exception as error:
        raise UsageError(f"{model}: {path.name} cannot be read: {error_text(error)}") from error
    if not isinstance(arrays, dict):
        raise UsageError(f"{model}: {path.name} has arrays without names")
    return {name.partition(":")[2] or name: array for name, array in arrays.items()}


def input_names(model: ModelFiles, variables: Sequence[str]) -> tuple[str, ...]:
    """Return the variables that are inputs: those of the option, else all but labels.

    Raises:
        UsageError: a variable is neither an input, a label nor a parameter.
    """
    listed = model.option(INPUTS, list, [])
    model.check_options(INPUTS)
    for name in listed:
        if name not in variables:
            raise UsageError(f"{model}: options.{INPUTS}: {quote(name)} is no input of the symbol")
    if not listed:
        return tuple(name for name in variables if not name.endswith(LABEL)) or tuple(variables)
    for name in variables:
        if name not in listed and not name.endswith(LABEL):
            raise UsageError(f"{model}: the parameter {quote(name)} is in none of its files")
    return tuple(listed)


def fill(parameter: Any, value: Any) -> None:
    """Give a parameter its values, of which nothing is differentiated."""
    parameter.grad_req = "null"
    parameter.shape, parameter.dtype = value.shape, value.dtype
    parameter.initialize(init=mxnet.init.Zero())
    parameter.set_data(value)

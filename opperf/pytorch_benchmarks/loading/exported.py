"""Programs of torch.export (.pt2), which are read only if nothing in them runs code.

torch.export.load (2.13) unpickles what is marked as pickled (weights_only=False), evaluates texts
as expressions of SymPy, calls what a node names, and generates Python from names: all of this is
checked in the archive first (exported_check). What passes has tensors as they are, and operators.
"""

from __future__ import annotations

from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any

import torch

from opperf.core.errors import UsageError, error_text
from opperf.core.frameworks.models import LoadedModel
from opperf.pytorch_benchmarks.loading.exported_check import check_archive
from opperf.pytorch_benchmarks.loading.module import without_gradients

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.models import ModelFiles

TRAINING = {"dropout": 2, "feature_dropout": 2, "alpha_dropout": 2, "native_dropout": 2,
            "batch_norm": 5, "native_batch_norm": 5, "instance_norm": 5}  # fmt: skip
"""The operators that compute otherwise in training, each with the argument that says so."""


def load(framework: Framework, model: ModelFiles, device: str) -> LoadedModel:
    """Return the module of an exported program."""
    del framework
    model.check_options()
    path = model.file("model")
    if not model.trust:
        check_archive(model, path)
    try:
        program = torch.export.load(path)
        if device != "cpu":
            from torch.export.passes import move_to_device_pass

            program = move_to_device_pass(program, device)
    except Exception as error:
        raise UsageError(f"{model}: {path.name} cannot be read: {error_text(error)}") from error
    check_mode(model, program)
    return as_model(model, program)


def as_model(model: ModelFiles, program: Any) -> LoadedModel:
    """Return a program as a module: without gradients, and without guards before each call."""
    # Guards came with the parameter that leaves them out (PyTorch 2.9).
    guards = {"check_guards"} & signature(program.module).parameters.keys()
    module = without_gradients(program.module(**dict.fromkeys(guards, False)))
    names = tuple(program.graph_signature.user_inputs)
    positional, keywords = children(program.call_spec.in_spec)
    split, given = len(children(positional)), tuple(keywords.context)
    if not all(isinstance(name, str) for name in names) or split + len(given) != len(names):
        raise UsageError(f"{model}: its inputs are not tensors alone; export it with tensors")

    def make_step(tensors: Sequence[Any]) -> Step:
        named = dict(zip(given, tensors[split:], strict=True))
        return partial(module, *tensors[:split], **named)

    return LoadedModel(inputs=names[:split] + given, make_step=make_step)


def children(spec: Any) -> list[Any]:
    """Return what a specification of nested values consists of; its attribute became a method."""
    found: list[Any] = spec.children() if hasattr(spec, "children") else spec.children_specs
    return found


def check_mode(model: ModelFiles, program: Any) -> None:
    """Refuse a program that was exported as it trains.

    Raises:
        UsageError: names the operator.
    """
    for node in program.graph.nodes:
        name = getattr(node.target, "_opname", "")
        at = TRAINING.get(name)
        if node.op == "call_function" and at is not None and node.args[at : at + 1] == (True,):
            raise UsageError(
                f"{model}: it was exported in training mode ({name}); export model.eval()"
            )

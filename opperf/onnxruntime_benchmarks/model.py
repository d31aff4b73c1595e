"""ONNX files as models: protobuf, with tensors in files of the same folder and no other."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import onnx

from opperf.core.errors import UsageError, error_text, quote
from opperf.core.frameworks.models import LoadedModel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from opperf.core.frameworks.device import Step
    from opperf.core.frameworks.models import ModelFiles
    from opperf.onnxruntime_benchmarks.framework import OnnxRuntime

COMPILED = slice(4, 8), b"ORTM"
"""Where and how a file of ONNX Runtime's own says so, of which it takes more on trust."""


def load(framework: OnnxRuntime, model: ModelFiles, device: str) -> LoadedModel:
    """Return the session of an ONNX file."""
    framework.device(device)
    model.check_options()
    path = model.file("model")
    data = path.read_bytes()
    check(model, path, data)
    folder = {"model_external_initializers_file_folder_path": str(path.parent)}
    try:
        session = framework.session(data, **folder)
    except Exception as error:
        raise UsageError(f"{model}: {path.name} cannot be loaded: {error_text(error)}") from error
    inputs = tuple(each.name for each in session.get_inputs())

    def make_step(tensors: Sequence[Any]) -> Step:
        return partial(session.run, None, dict(zip(inputs, tensors, strict=True)))

    outputs = tuple(each.name for each in session.get_outputs())
    return LoadedModel(inputs=inputs, outputs=outputs, make_step=make_step)


def check(model: ModelFiles, path: Path, data: bytes) -> None:
    """Refuse what is no ONNX, or reads files of other folders.

    Raises:
        UsageError: says which.
    """
    where, mark = COMPILED
    try:
        document = onnx.load_model_from_string(b"" if data[where] == mark else data)
    except Exception as error:
        raise UsageError(f"{model}: {path.name} is no ONNX model: {error_text(error)}") from error
    if not document.HasField("graph"):
        raise UsageError(f"{model}: {path.name} is no ONNX model: it has no graph")
    for tensor in tensors(document):
        for entry in tensor.external_data:
            if entry.key == "location" and not lies_in(path.parent, entry.value):
                raise UsageError(
                    f"{model}: {path.name} has the tensor {quote(tensor.name)} in "
                    f"{quote(entry.value)}; must be a file of its own folder, "
                    "which the specification lists beside it"
                )


def tensors(message: Any) -> Iterator[Any]:
    """Yield all tensors of a model, those of attributes, subgraphs and functions too."""
    if isinstance(message, onnx.TensorProto):
        yield message
        return
    for field, value in message.ListFields():
        if field.message_type is not None:
            for each in value if hasattr(value, "__len__") else (value,):
                yield from tensors(each)


def lies_in(folder: Path, name: str) -> bool:
    """Return whether a name is that of a file in a folder, and not of a link out of it."""
    place = (folder / name).resolve()
    return (
        ".." not in name.split("/") and place.is_relative_to(folder.resolve()) and place.is_file()
    )

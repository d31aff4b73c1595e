"""What an archive of torch.export may hold where its author is not trusted."""

from __future__ import annotations

import json
import re
from io import BytesIO
from typing import TYPE_CHECKING, Any

import torch

from opperf.core.errors import UsageError, error_text, quote
from opperf.pytorch_benchmarks.loading.exported_expression import is_harmless

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from opperf.core.frameworks.models import ModelFiles

MEMBERS = re.compile(
    r"archive_format|archive_version|byteorder|version|\.data/[\w]+|\.format_version"
    r"|\.storage_alignment|models/model\.json|data/weights/weight_\d+|data/constants/tensor_\d+"
    r"|data/(weights|constants)/model_(weights|constants)_config\.json"
    r"|data/sample_inputs/model\.pt|extra/.*"
)
"""No pickled weights or constants, no libraries that Inductor compiled."""
SAMPLES = "data/sample_inputs/model.pt"
PLAIN = re.compile(r"[\w.]*", re.ASCII)
"""A name that generated Python may hold."""
DESCRIBED = frozenset({
    "stack_trace", "nn_module_stack", "source_fn_stack", "torch_fn", "from_node", "torch_version",
    "as_string", "as_strings",
})  # fmt: skip
"""Texts that nothing executes: where a node comes from, and what an operator gets as a string."""
SPECS = frozenset({"in_spec", "out_spec", "context"})
"""JSON within a text."""
TARGETS = frozenset({"target", "as_operator"})
SPECIAL = "and|or|xor|iand|ior|ixor|lshift|rshift|ilshift|irshift"
HIGHER = (
    "cond|while_loop|scan|map_impl|associative_scan|flex_attention|wrap_with_set_grad_enabled"
    "|wrap_with_autocast"
)
ARITHMETIC = (
    "add|sub|mul|truediv|floordiv|mod|pow|neg|pos|abs|eq|ne|lt|le|gt|ge|and_|or_|xor|inv|invert"
    "|not_|getitem|lshift|rshift|index"
)
TARGET = re.compile(
    rf"torch\.ops\.aten\.(?!(from_file|save)\b)([a-z]\w*|_[a-z]\w*|__({SPECIAL})__)\.[A-Za-z]\w*"
    rf"|torch\.ops\.(prims|quantized|quantized_decomposed|torchvision)\.[a-z]\w*\.[A-Za-z]\w*"
    rf"|torch\.ops\.higher_order\.({HIGHER})|torch\.sym_[a-z]+"
    rf"|_operator\.({ARITHMETIC})|math\.[a-z]\w*",
    re.ASCII,
)
"""What a node may call; torch.ops.aten also has what TorchScript writes and maps files by."""


def check_archive(model: ModelFiles, path: Path) -> None:
    """Refuse an archive of which a part runs code as it is read or called.

    Raises:
        UsageError: names the part, and the remedy.
    """
    try:
        from torch.export.pt2_archive._package import PT2ArchiveReader
    except ImportError:
        version = torch.__version__
        model.require_trust(
            f"PyTorch {version} reads {path.name} by unpickling; 2.8 and later do not"
        )
        return
    try:
        with PT2ArchiveReader(str(path)) as reader:
            names = reader.get_file_names()
            texts = {name: reader.read_bytes(name) for name in names if name.endswith(".json")}
            samples = reader.read_bytes(SAMPLES) if SAMPLES in names else b""
        documents = {name: json.loads(text) for name, text in texts.items()}
    except Exception as error:
        raise UsageError(
            f"{model}: {path.name} is no archive that torch.export.save wrote: {error_text(error)}"
        ) from error
    for fault in faults(names, documents, samples):
        model.require_trust(f"{path.name} {fault}, which may run code as it is loaded")


def faults(names: list[str], documents: dict[str, Any], samples: bytes) -> list[str]:
    """Return what is not read without trust, none where the archive may be read."""
    strange = [name for name in names if not MEMBERS.fullmatch(name)]
    found = [f"holds {quote(name)}" for name in strange]
    found += [f"has {what}" for document in documents.values() for what in inspect(document)]
    try:
        if samples:
            torch.load(BytesIO(samples), weights_only=True)
    except Exception:  # noqa: BLE001 - whatever is in them beside tensors
        found.append("has example inputs that are pickled objects")
    return found


def inspect(value: Any, key: str = "") -> list[str]:
    """Return what a document says that is more than names and numbers."""
    if isinstance(value, dict):
        if value.get("use_pickle"):
            return ["pickled tensors"]
        return [
            fault
            for name, each in value.items()
            for fault in (*inspect_text(name, ""), *inspect(each, name))
        ]
    if isinstance(value, list):
        return [fault for each in value for fault in inspect(each, key)]
    return inspect_text(value, key) if isinstance(value, str) else []


def inspect_text(text: str, key: str) -> list[str]:
    """Return what a text says that its field does not allow."""
    if key in DESCRIBED:
        return []
    if key in SPECS and text[:1] in {"[", "{", '"'}:
        try:
            return inspect(json.loads(text), key)
        except (ValueError, RecursionError):
            return [f"the {key} {quote(text)}"]
    rules: dict[str, Callable[[str], object]] = {
        "expr_str": is_harmless, **dict.fromkeys(TARGETS, TARGET.fullmatch)
    }  # fmt: skip
    return [] if rules.get(key, PLAIN.fullmatch)(text) else [f"the {key or 'name'} {quote(text)}"]

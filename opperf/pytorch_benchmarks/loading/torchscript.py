"""TorchScript archives, whose program is checked before it is compiled.

Their pickles are read by an unpickler of PyTorch's own, which makes tensors and the archive's own
classes only. What is left is the program: it may call all of PyTorch's operators, of which some
write and read files, also while it is loaded (__setstate__).
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Any

import torch

from opperf.core.errors import UsageError, error_text, quote
from opperf.pytorch_benchmarks.loading.module import called_in_order, ready

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.models import LoadedModel, ModelFiles

FILES = re.compile(r"\b(save|from_file|load_tensor)\b")
"""The operators that write or read files: aten::save, aten::from_file, debugprims::load_tensor."""
GETATTR = re.compile(r"\bgetattr\b(?!\(\w+, \"[\w.]*\"\))")
"""An attribute by a name that is not written plainly, and so could be one of those."""
SPACES = re.compile(r"\bops\.(?!(?:aten|prim|prims|quantized|torchvision|mkldnn|xnnpack)\.)\w+")
"""Operators of other libraries."""
CLASSES = re.compile(r"\btorch\.classes\.(?!(?:quantized|rnn|xnnpack|mkldnn|sparse)[.\n])\w+")
"""Classes of other libraries, written in C++, which are made as the archive is read."""
CODE, PICKLE = ".py", "pkl"
RULES = {CODE: (FILES, GETATTR, SPACES, CLASSES), PICKLE: (CLASSES,)}
"""What the records with these ends may not hold."""


def load(framework: Framework, model: ModelFiles, device: str) -> LoadedModel:
    """Return the module of a TorchScript archive."""
    del framework
    model.check_options()
    path = model.file("model")
    if not model.trust:
        check_archive(model, path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of TorchScript as a whole
            module = torch.jit.load(path, map_location=device)
    except Exception as error:
        raise UsageError(f"{model}: {path.name} cannot be read: {error_text(error)}") from error
    return called_in_order(ready(module, device), argument_names(module))


def argument_names(module: Any) -> tuple[str, ...]:
    """Return the arguments of a forward that have no default, less the module itself."""
    arguments = module.forward.schema.arguments[1:]
    return tuple(each.name for each in arguments if not each.has_default_value())


def check_archive(model: ModelFiles, path: Path) -> None:
    """Refuse what is no TorchScript archive, or holds a program that may reach for files.

    Raises:
        UsageError: says what it is, and the remedy.
    """
    try:
        texts = dict(program(path))
    except Exception as error:
        raise UsageError(
            f"{model}: {path.name} is no archive that torch.jit.save wrote: {error_text(error)}"
        ) from error
    if "constants.pkl" not in texts:
        model.require_trust(
            f"{path.name} has no program: it is a pickle that torch.save wrote, which can run any "
            "code as it is read, or of an older form; store it by torch.jit.save"
        )
    for name, text in texts.items():
        for rule in next((rules for end, rules in RULES.items() if name.endswith(end)), ()):
            if found := rule.search(text):
                model.require_trust(
                    f"{name} in {path.name} uses {quote(found.group())}, which may write or read "
                    "files"
                )


def program(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the names of an archive's records, with the texts of those that have rules."""
    reader = torch._C.PyTorchFileReader(str(path))  # noqa: SLF001 - what torch.jit.load reads by
    for name in reader.get_all_records():
        if name == "model.json":
            return  # an archive of before PyTorch 1.1, read by other code
        read = name.endswith(tuple(RULES))
        yield name, reader.get_record(name).decode("latin-1") if read else ""

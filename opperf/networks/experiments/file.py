"""Experiment files: TOML, YAML or JSON, read with suspicion into one document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.configuration.file import decode, parse_toml
from opperf.core.configuration.json_form import parse_json
from opperf.core.errors import UsageError, quote_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

LARGEST = 2**18
"""Bytes."""


def read_document(path: Path) -> dict[str, Any]:
    """Return what an experiment file has at its top.

    Raises:
        UsageError: It cannot be read, or is neither TOML, nor YAML, nor JSON; names the line.
    """
    shown = quote_path(path)
    parse = FORMS.get(path.suffix.lower())
    if parse is None:
        raise UsageError(f"experiment file {shown}: must end with {', '.join(FORMS)}")
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot read experiment file {shown}: {reason}") from error
    if len(data) > LARGEST:
        raise UsageError(f"experiment file {shown}: larger than {LARGEST >> 10} KiB")
    document = parse(decode(data, path.name), path.name)
    if not isinstance(document, dict):
        raise UsageError(f"experiment file {shown}: must have parameters, variables, extensions")
    return document


def parse_yaml(text: str, name: str) -> object:
    """Return what YAML says; the library that reads it is an extra."""
    try:
        from opperf.networks.experiments.yaml_form import load
    except ImportError:
        remedy = "pip install 'opperf[yaml]', or write TOML"
        raise UsageError(f"{name}: YAML needs the package pyyaml; {remedy}") from None
    return load(text, name)


FORMS: Mapping[str, Callable[[str, str], object]] = {
    ".toml": parse_toml,
    ".yaml": parse_yaml,
    ".yml": parse_yaml,
    ".json": parse_json,
}

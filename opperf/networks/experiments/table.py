"""The parameters that every experiment has, read from parameters.toml."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.networks.experiments.parameter import ExperimentParameter

if TYPE_CHECKING:
    from collections.abc import Mapping

# By name, because mypy checks for Python 3.10 and tomli is installed on no later one.
tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
PARAMETERS = Path(__file__).with_name("parameters.toml")
FRAMEWORKS: Mapping[str, str] = {"mxnet": "MXNet", "pytorch": "PyTorch"}
FRAMEWORK = "{framework}"
"""In the table's names and texts: each of the frameworks in turn."""


@cache
def standard_parameters() -> Mapping[str, ExperimentParameter]:
    """Return the parameters by their names."""
    document: dict[str, dict[str, Any]] = tomllib.loads(PARAMETERS.read_text(encoding="utf-8"))
    found = {}
    for name, row in document.items():
        for framework, title in FRAMEWORKS.items() if FRAMEWORK in name else [("", "")]:
            texts = filled(row, framework, title)
            own = filled(name, framework, title)
            found[own] = ExperimentParameter(
                name=own, **{**texts, "domain": tuple(row.get("domain", ()))}
            )
    return found


def filled(value: Any, framework: str, title: str) -> Any:
    """Return a value of the table for one framework."""
    if isinstance(value, dict):
        return {key: filled(item, framework, title) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, framework, title) for item in value]
    if isinstance(value, str):
        return value.replace(FRAMEWORK, framework).replace("{title}", title)
    return value

"""Operators that were renamed: records are read by today's names, and keys keep the older ones.

Each pair differs in case only, so that filters, which ignore case, find both.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from opperf.core.results.identity import OPERATOR

if TYPE_CHECKING:
    from collections.abc import Mapping

OLDER_NAMES: Mapping[str, str] = MappingProxyType({
    "AddRelu": "AddReLU",
    "BiasGelu": "BiasGELU",
    "Celu": "CELU",
    "ConvAddRelu": "ConvAddReLU",
    "ConvRelu6": "ConvReLU6",
    "ConvSilu": "ConvSiLU",
    "DenseGelu": "DenseGELU",
    "DenseRelu": "DenseReLU",
    "Elu": "ELU",
    "GatedAddRelu": "GatedAddReLU",
    "Gelu": "GELU",
    "GemmGelu": "GemmGELU",
    "GemmRelu": "GemmReLU",
    "GroupNormSilu": "GroupNormSiLU",
    "IRelu": "IReLU",
    "LambPhase1": "LAMBPhase1",
    "LambPhase2": "LAMBPhase2",
    "LeakyRelu": "LeakyReLU",
    "MultiLars": "MultiLARS",
    "PRelu": "PReLU",
    "QuantizedRelu": "QuantizedReLU",
    "RNNRelu": "RNNReLU",
    "Relu": "ReLU",
    "Relu6": "ReLU6",
    "Selu": "SELU",
})  # fmt: skip
"""Today's names by those until 2026-11-23; now they are spelled as in torch.nn and Gluon."""
IN_KEYS: Mapping[str, str] = MappingProxyType({today: name for name, today in OLDER_NAMES.items()})
"""The older names by today's."""
IMPORTED = "imported"
"""The category of what another tool measured: its operators are called as there."""


def name_in_keys(name: str) -> str:
    """Return the name that stands in keys for the operator of today's name: its older one."""
    return IN_KEYS.get(name, name)


def renamed(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record, which may be damaged, whose operator has the name of today."""
    operator, subject = record.get("operator"), record.get("subject")
    if not isinstance(operator, dict) or operator.get("category") == IMPORTED:
        return record
    today = OLDER_NAMES.get(str(operator.get("name")))
    if today is None:
        return record
    renamed_parts: dict[str, Any] = {"operator": {**operator, "name": today}}
    if isinstance(subject, dict) and subject.get("kind") == OPERATOR:
        renamed_parts["subject"] = {**subject, "name": today}
    return {**record, **renamed_parts}


def spellings(name: str) -> set[str]:
    """Return a name with the other one that its operator has or had, if there is one."""
    return {name, OLDER_NAMES.get(name, name), IN_KEYS.get(name, name)}

"""The half-precision forms that a framework's build lacks, as listed in halves.toml."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.core.configuration.file import tomllib
from opperf.declaring.registry import find_operator

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.core.frameworks.variant import Variant
    from tests.contracts.conftest import Contract

FORMS: Mapping[str, Variant] = {"": "only", "fused": "fused", "unfused": "unfused"}
"""What follows an operator's name."""
LISTED = tomllib.loads(Path(__file__).with_name("halves.toml").read_text())


def is_absent(contract: Contract, direction: str) -> bool:
    """Return whether the framework has no such form of the operator in this direction."""
    framework, dtype = contract.framework_name, contract.dtype
    if (framework, dtype) == ("numpy", "bfloat16"):
        return True
    name = contract.kind.name(), contract.variant
    is_gradient = "backward" in direction
    return name in absent(framework, dtype, "forward") or (
        is_gradient and name in absent(framework, dtype, "gradient")
    )


@cache
def absent(framework: str, dtype: str, part: str) -> frozenset[tuple[str, Variant]]:
    """Return the operators and variants without this part, which all exist."""
    listed = LISTED.get(framework, {}).get(dtype, {}).get(part, "")
    return frozenset(variants(listed.split()))


def variants(names: list[str]) -> Iterator[tuple[str, Variant]]:
    """Yield the operator of each name, and the variant that is meant."""
    for name in names:
        operator, _, variant = name.partition("/")
        yield find_operator(operator).name(), FORMS[variant]

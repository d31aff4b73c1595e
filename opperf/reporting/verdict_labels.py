"""What a row of a comparison is called: its operator, and what that was given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.comparing.row import PREDICTION
from opperf.core.frameworks.variant import variant_of
from opperf.core.results.identity import WHOLE_NETWORKS
from opperf.reporting.text import clean
from opperf.reporting.wording import attributes_text, value_text

if TYPE_CHECKING:
    from opperf.comparing.row import ComparedRow

OF_NETWORKS = (*WHOLE_NETWORKS, PREDICTION)
SPARED = ("of", "key")
"""What a network's label says already, and what stands for its calls."""


def row_label(row: ComparedRow) -> str:
    """Return the operator, and which of its variants it is; of a network what is looked at."""
    if row.kind in OF_NETWORKS:
        return clean(f"{row.operator}, {row.inputs.get('of')}")
    variant = variant_of(row.fused)
    return clean(row.operator) + ("" if variant == "only" else f" ({variant})")


def inputs_label(row: ComparedRow) -> str:
    """Return the shapes and attributes that the operator was given."""
    shapes = [value for value in row.inputs.values() if isinstance(value, tuple)]
    unnamed = SPARED if row.kind in OF_NETWORKS else ()
    others = {
        name: value
        for name, value in row.inputs.items()
        if not isinstance(value, tuple) and name not in unnamed
    }
    if len(set(shapes)) == 1:
        alike = value_text(shapes[0]) + (f"x{len(shapes)}" if len(shapes) > 1 else "")
        return " ".join(filter(None, [alike, attributes_text(others)]))
    return " ".join(filter(None, [*map(value_text, shapes), attributes_text(others)]))

"""The calibration set: what every host of a fleet runs daily, so that hosts can be told from code.

A host that drifts moves what its operators have in common: its clock, its memory, its scheduler. So
there are several for each of these, in more than one library, and a change of one kernel moves one
or two of the twenty. MXNet and PyTorch have all of them; none draws random numbers, and each takes
the same path whatever the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

TAG = "calibration"
BOUNDS: Mapping[str, tuple[str, ...]] = {
    "memory": ("Add", "Multiply", "Cast", "Concat", "Transpose", "Where", "Sum"),
    "arithmetic": ("Dot", "BatchDot", "Dense", "Conv2D", "Exp", "Tanh", "GELU", "Softmax"),
    "dispatch": ("OneElementCopy", "Reshape", "ExpandDims"),
    "mixed": ("LayerNorm", "MaxPool2D"),
}
"""The operators by what bounds them at their typical size: moving bytes, computing, being called at
all, or several of these in turn."""
CALIBRATION = frozenset(name for names in BOUNDS.values() for name in names)

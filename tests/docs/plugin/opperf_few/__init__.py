"""A framework of five operators, so that a documented run of all of them is a matter of a second.

It counts as installed where this folder's parent is on PYTHONPATH.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.numpy_benchmarks.framework import NumPy

if TYPE_CHECKING:
    from opperf.core.frameworks.implementation import Implementation
    from opperf.core.frameworks.variant import Variant

NAMES = ("Add", "Dot", "Exp", "Softmax", "AddReLU")


class Few(NumPy):
    """NumPy, of which only some operators are known."""

    name = "few"
    prefix = "FEW"

    def implementation(self, operator: type[Any], *, variant: Variant) -> Implementation | None:
        """Return NumPy's implementation of the few."""
        return (
            super().implementation(operator, variant=variant) if operator.name() in NAMES else None
        )


FRAMEWORK = Few()

"""PyTorch has no operator of the category detection."""

from opperf.core.frameworks.implementation import Table

TABLE: Table = {}

"""MXNet computes none of this category."""

from opperf.core.frameworks.implementation import Table

TABLE: Table = {}

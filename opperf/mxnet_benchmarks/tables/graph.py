"""MXNet has no operator of the category graph."""

from opperf.core.frameworks.implementation import Table

TABLE: Table = {}

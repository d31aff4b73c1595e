"""MXNet has no operator of the category fft."""

from opperf.core.frameworks.implementation import Table

TABLE: Table = {}

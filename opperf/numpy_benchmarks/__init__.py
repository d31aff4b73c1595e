"""NumPy, the reference framework: every operator by its own definition, forward only."""

from opperf.numpy_benchmarks.framework import NumPy

FRAMEWORK = NumPy()

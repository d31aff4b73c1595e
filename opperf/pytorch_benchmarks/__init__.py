"""PyTorch: its callables, and how to prepare, differentiate and synchronize them."""

from opperf.pytorch_benchmarks.framework import PyTorch

FRAMEWORK = PyTorch()

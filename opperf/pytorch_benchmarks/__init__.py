"""PyTorch: its callables, and how tensors are made, differentiated and awaited."""

from opperf.pytorch_benchmarks.framework import PyTorch

FRAMEWORK = PyTorch()

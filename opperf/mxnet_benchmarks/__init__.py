"""MXNet: its callables, and how tensors are made, differentiated and awaited."""

from opperf.mxnet_benchmarks.framework import MXNet

FRAMEWORK = MXNet()

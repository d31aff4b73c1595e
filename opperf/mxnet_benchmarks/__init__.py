"""MXNet: its callables, and how to prepare, differentiate and synchronize them."""

from opperf.mxnet_benchmarks.framework import MXNet

FRAMEWORK = MXNet()

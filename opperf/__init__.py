"""Operator-level microbenchmarks for MXNet and PyTorch, side by side."""

__version__ = "0.1.0"

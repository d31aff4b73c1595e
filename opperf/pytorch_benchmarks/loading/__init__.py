"""Models of PyTorch from files and from functions."""

from collections.abc import Mapping
from types import MappingProxyType

FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "torchscript": "opperf.pytorch_benchmarks.loading.torchscript:load",
        "torch.export": "opperf.pytorch_benchmarks.loading.exported:load",
        "torch.save": "opperf.pytorch_benchmarks.loading.pickled:load",
        "python": "opperf.pytorch_benchmarks.loading.factory:load",
    }
)
"""The formats of models that PyTorch loads, each with its loader."""

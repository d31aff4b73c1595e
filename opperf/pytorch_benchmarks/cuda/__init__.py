"""PyTorch on an NVIDIA GPU: events behind a blocker, captured graphs, and the GPU's own facts.

What uses the GPU takes `torch.cuda` as an argument, so that a fake one can stand in for it.
"""

from opperf.pytorch_benchmarks.cuda.gpu import Gpu, find_gpu

__all__ = ["Gpu", "find_gpu"]

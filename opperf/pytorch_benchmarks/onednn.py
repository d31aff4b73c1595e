"""PyTorch's oneDNN: the instruction sets it may use, and what it lacks without some."""

from __future__ import annotations

from opperf.core.environment.onednn import OneDNN
from opperf.core.frameworks.requirement import Requirement

BUILD = OneDNN(("ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"))

REQUIREMENTS = (
    Requirement(
        requires="avx512_core", words="bf16 path needs the cpu support", dtypes=("bfloat16",)
    ),
    Requirement(
        requires="avx512_core_fp16", words="fp16 path needs the cpu support", dtypes=("float16",)
    ),
)
"""Of what is packed for oneDNN beforehand; eager calls do without oneDNN where it lacks a form."""

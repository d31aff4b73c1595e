"""PyTorch's switches that trade precision or repeatability for speed on a GPU."""

from __future__ import annotations

from typing import Any


def forbid_tf32(torch: Any) -> None:
    """Let float32 be float32: TF32 keeps ten bits of it, which is another job.

    It is PyTorch's default for cuDNN's convolutions, not for products of matrices.
    """
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False


def settings(torch: Any) -> dict[str, object]:
    """Return the switches as they stand; one that this version lacks is None."""
    matmul, cudnn = torch.backends.cuda.matmul, torch.backends.cudnn
    return {
        "cuda": torch.version.cuda,
        "cudnn": cudnn.version(),
        "matmul_allow_tf32": switch(matmul, "allow_tf32"),
        "matmul_fp32_precision": switch(matmul, "fp32_precision"),
        "matmul_allow_fp16_reduced_precision": switch(
            matmul, "allow_fp16_reduced_precision_reduction"
        ),
        "matmul_allow_bf16_reduced_precision": switch(
            matmul, "allow_bf16_reduced_precision_reduction"
        ),
        "cudnn_allow_tf32": switch(cudnn, "allow_tf32"),
        "cudnn_benchmark": switch(cudnn, "benchmark"),
        "cudnn_deterministic": switch(cudnn, "deterministic"),
        "deterministic_algorithms": torch.are_deterministic_algorithms_enabled(),
    }


def switch(module: Any, name: str) -> object:
    """Return a switch as JSON can hold it, None where this version has none of the name."""
    try:
        value = getattr(module, name)
    except (AttributeError, RuntimeError):
        return None
    return value if isinstance(value, (bool, int, str)) else str(value)

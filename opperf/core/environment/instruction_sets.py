"""The instruction sets that the processor has, by which libraries choose their kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.environment.files import FIRST_PROCESSOR, ROOT, read_fields

if TYPE_CHECKING:
    from pathlib import Path

RELEVANT = (
    *("sse4_1", "sse4_2", "avx", "f16c", "fma", "avx2", "avx_vnni"),
    *("avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512_vnni", "avx512_bf16", "avx512_fp16"),
    *("amx_tile", "amx_int8", "amx_bf16", "amx_fp16"),
    *("asimd", "asimdhp", "asimddp", "bf16", "i8mm", "sve", "sve2", "svebf16", "svei8mm", "sme"),
)
"""The kernel's names, of some hundred: x86, then Arm."""


def instruction_sets(root: Path = ROOT) -> list[str] | None:
    """Return those of the relevant sets that the processor has, None where it does not say."""
    first = read_fields(root / "proc/cpuinfo", limit=FIRST_PROCESSOR)
    flags = first.get("flags") or first.get("Features")
    return None if flags is None else [name for name in RELEVANT if name in flags.split()]

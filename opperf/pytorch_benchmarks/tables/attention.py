"""PyTorch's callables for the operators of attention, and their limitations."""

from __future__ import annotations

from functools import partial

from opperf.core.frameworks.implementation import Fusable, built, native
from opperf.operators.attention import attention, interleaved, variants
from opperf.pytorch_benchmarks.binding.attention import (
    ATTENTION,
    div_sqrt_dim,
    multi_head,
    parts,
    scores,
    values,
)

TABLE = {
    attention.ScaledDotProductAttention: Fusable(
        fused=native(ATTENTION),
        unfused=built("torch.bmm + torch.mul + torch.softmax", parts),
    ),
    interleaved.SelfAttentionScores: built("torch.baddbmm", scores),
    interleaved.SelfAttentionValues: built("torch.bmm", partial(values, parts=3)),
    interleaved.CrossAttentionScores: built("torch.baddbmm", scores),
    interleaved.CrossAttentionValues: built("torch.bmm", partial(values, parts=2)),
    variants.CausalAttention: native(ATTENTION, is_causal=True),
    variants.GroupedQueryAttention: native(ATTENTION, enable_gqa=True),
    variants.DivSqrtDim: built("torch.div", div_sqrt_dim),
    variants.MultiHeadAttention: built(
        "torch.nn.functional.multi_head_attention_forward", multi_head
    ),
}

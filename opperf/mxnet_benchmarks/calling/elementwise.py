"""Which of MXNet's operators compute each element by itself, from a few terms."""

from __future__ import annotations

import re

from opperf.mxnet_benchmarks.calling.registry import differentiated_by

ELEMENTWISE = re.compile(
    r"elemwise_\w+|broadcast_\w+|_\w+_scalar|_(plus|minus|mul|div|maximum|minimum|power|grad_add)"
    r"|relu|sigmoid|tanh|softsign|hard_sigmoid|erf|exp|expm1|log\w*|sqrt|rsqrt|cbrt|rcbrt|square"
    r"|reciprocal|abs|sign|negative|sin|cos|tan|clip|where|_copy|identity|Cast|amp_cast|BlockGrad"
    r"|Activation|LeakyReLU|Dropout|Reshape|reshape|Flatten|transpose|expand_dims|squeeze|Concat"
    r"|stack|slice\w*|SliceChannel|SwapAxis|tile|repeat|flip|reverse|Pad|add_n|take|pick|Embedding"
    r"|one_hot|gather_nd|_zeros\w*|_ones\w*|zeros_like|ones_like|_full"
)
BACKWARD_TERMS = re.compile(
    r"\w+_scalar|mul|div|add|sub|power|maximum|minimum|relu|sigmoid|tanh|softsign|hard_sigmoid|erf"
    r"|exp\w*|log|log2|log10|log1p|sqrt|rsqrt|cbrt|rcbrt|square|reciprocal|abs|sign|sin|cos|tan"
    r"|clip|where|copy|cast|amp_cast|Activation|Dropout|reshape|squeeze|Concat|stack|slice\w*"
    r"|SliceChannel|SwapAxis|reverse|Pad|pick"
)
"""Those of a backward; of what was broadcast or repeated it sums."""


def is_elementwise(operator: str) -> bool:
    """Return whether each element of the results is of a few terms."""
    if forward := differentiated_by(operator):
        return BACKWARD_TERMS.fullmatch(forward) is not None
    return ELEMENTWISE.fullmatch(operator) is not None and operator != "log_softmax"

"""PyTorch's attention."""

from opperf.core.implementation import native
from opperf.operators import attention

TABLE = {
    attention.ScaledDotProductAttention: native("torch.nn.functional.scaled_dot_product_attention"),
}

"""Gated feed-forward layers, and attention with rotary positions.

They have no `parts`: intermediate results are used twice.
"""

from __future__ import annotations

from math import prod, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.activation.activation import gelu, gelu_slope, swish, swish_slope
from opperf.operators.attention.attention import (
    ScaledDotProductAttention,
    attention,
    attention_gradient,
    head_shapes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape

    Function = Callable[[Array], Array]


def gated_layer(activation: Function) -> Any:
    """Return the reference of a gated layer with this activation (Shazeer 2020)."""

    def layer(data: Array, gate_weight: Array, up_weight: Array) -> Array:
        """Return activation(data @ gate_weight^T) * (data @ up_weight^T)."""
        return activation(data @ gate_weight.T) * (data @ up_weight.T)

    return layer


def gated_layer_gradient(activation: Function, slope: Function) -> Any:
    """Return the gradient of a gated layer by data and both weights."""

    def gradient(
        cotangents: Sequence[Array], data: Array, gate_weight: Array, up_weight: Array
    ) -> tuple[Array, Array, Array]:
        gate, up = data @ gate_weight.T, data @ up_weight.T
        by_gate, by_up = cotangents[0] * up * slope(gate), cotangents[0] * activation(gate)
        by_data = by_gate @ gate_weight + by_up @ up_weight
        return by_data, by_gate.T @ data, by_up.T @ data

    return gradient


def feed_forward(rows: int, features: int, units: int) -> dict[str, Shape]:
    """Return the shapes of a layer."""
    weight = (units, features)
    return {"data": (rows, features), "gate_weight": weight, "up_weight": weight}


class GatedLayer(Declaration, abstract=True):
    """activation(data @ gate_weight^T) * (data @ up_weight^T)."""

    fusable = True
    tensors = {"data": Tensor(), "gate_weight": Tensor(), "up_weight": Tensor()}
    backward_work = 2
    tolerance = gradient_tolerance = CANCELING_SUMS

    def domains(self) -> Mapping[str, Tensor]:
        """Return weights that keep the variance, so that gates do not saturate."""
        bound = 3 / sqrt(self.inputs["data"][-1])
        weight = Tensor(low=-bound, high=bound)
        return {**self.tensors, "gate_weight": weight, "up_weight": weight}

    def outputs(self) -> tuple[Shape, ...]:
        """Return (rows, units)."""
        self.require_rank("data", 2)
        self.require_rank("gate_weight", 2)
        rows, features = self.inputs["data"]
        units = self.inputs["gate_weight"][0]
        for name, shape in feed_forward(rows, features, units).items():
            self.require(self.inputs[name] == shape, name, f"must be {shape}")
        return ((rows, units),)

    def flop_count(self) -> int:
        """Return the FLOP of the two products, which outweigh the gates."""
        return 4 * prod(self.outputs()[0]) * int(self.inputs["data"][1])


class SwiGLU(GatedLayer):
    """SiLU(data @ gate_weight^T) * (data @ up_weight^T).

    Typical is TinyLlama-1.1B on 64 tokens.
    """

    sizes = {
        "small": feed_forward(16, 64, 96),
        "typical": feed_forward(64, 2048, 5632),
        "large": feed_forward(256, 4096, 11008),
        "skewed": feed_forward(1, 2048, 5632),
    }
    reference = gated_layer(swish)
    gradient = gated_layer_gradient(swish, swish_slope)


class GEGLU(GatedLayer):
    """GELU(data @ gate_weight^T) * (data @ up_weight^T).

    Typical is T5 1.1 base on 512 tokens.
    """

    sizes = {
        "small": feed_forward(16, 64, 96),
        "typical": feed_forward(512, 768, 2048),
        "large": feed_forward(2048, 1024, 2816),
        "skewed": feed_forward(10007, 7, 33),
    }
    reference = gated_layer(gelu)
    gradient = gated_layer_gradient(gelu, gelu_slope)


def rotate_half(data: Array) -> Array:
    """Return (-second half, first half) of the features."""
    first, second = np.split(data, 2, axis=-1)
    return np.concatenate([-second, first], axis=-1)


def rotate(data: Array, cosine: Array, sine: Array) -> Array:
    """Return data * cosine + rotate_half(data) * sine (Su et al. 2021, equation 34)."""
    return data * cosine + rotate_half(data) * sine


def rotary_attention(query: Array, key: Array, value: Array, cosine: Array, sine: Array) -> Array:
    """Return attention with queries and keys rotated by their positions."""
    return attention(rotate(query, cosine, sine), rotate(key, cosine, sine), value)


def rotary_attention_gradient(
    cotangents: Sequence[Array], query: Array, key: Array, value: Array, cosine: Array, sine: Array
) -> tuple[Array, Array, Array]:
    """Return the gradients by query, key and value."""
    turns = rotate(query, cosine, sine), rotate(key, cosine, sine)
    by_query, by_key, by_value = attention_gradient(cotangents, *turns, value)
    back = [each * cosine - rotate_half(each * sine) for each in (by_query, by_key)]
    return back[0], back[1], by_value


def with_positions(shapes: Mapping[str, Shape]) -> dict[str, Shape]:
    """Return the shapes of heads with the tables of their positions."""
    return {**shapes, **dict.fromkeys(("cosine", "sine"), shapes["query"][2:])}


class RotaryAttention(ScaledDotProductAttention):
    """Attention with rotary position embeddings of queries and keys, as in Llama.

    Features i and i + features / 2 are a pair. Cosines and sines come in tables (length, features).
    Typical is TinyLlama's width of 32 heads of 64 features, for 128 tokens.
    """

    tensors = {
        **ScaledDotProductAttention.tensors,
        **dict.fromkeys(("cosine", "sine"), Tensor(low=-1, high=1, differentiable=False)),
    }
    sizes = {
        "small": with_positions(head_shapes(1, 2, 16, 16)),
        "typical": with_positions(head_shapes(1, 32, 128, 128)),
        "large": with_positions(head_shapes(1, 32, 512, 512)),
        "skewed": with_positions(head_shapes(1, 1, 3, 3)),
    }
    reference: ClassVar[Any] = rotary_attention
    gradient: ClassVar[Any] = rotary_attention_gradient
    tags = ()

    def parts(self) -> tuple[Declaration, ...]:
        """Return none: queries and keys are rotated in parallel."""
        return ()

    def outputs(self) -> tuple[Shape, ...]:
        """Return a value for each query."""
        (shape,) = super().outputs()
        features = self.inputs["query"][-1]
        self.require(features % 2 == 0, "query", "must have an even number of features")
        self.require(self.inputs["key"] == self.inputs["query"], "key", "must be as query is")
        for name in ("cosine", "sine"):
            expected = self.inputs["query"][2:]
            self.require(self.inputs[name] == expected, name, f"must be {expected}")
        return (shape,)

"""Fused operators with a normalization: of an embedding, of a sum, and before a SiLU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.composition import Composition, part_of
from opperf.operators.activation.activation import Swish, swish, swish_slope
from opperf.operators.arithmetic.arithmetic import Add
from opperf.operators.embedding.embedding import Embedding, embedding, embedding_gradient
from opperf.operators.normalization.scaling import RMSNorm, rms_norm, rms_norm_gradient
from opperf.operators.normalization.standardization import (
    GroupNorm,
    LayerNorm,
    group_norm,
    group_norm_gradient,
    layer,
    layer_norm,
    layer_norm_gradient,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array, Shape
    from opperf.declaring.declaration import Declaration


def embedding_layer_norm(
    data: Array, weight: Array, gamma: Array, beta: Array, *, eps: float
) -> Array:
    """Return layer_norm(weight[data])."""
    return layer_norm(embedding(data, weight), gamma, beta, eps=eps)


def embedding_layer_norm_gradient(
    cotangents: Sequence[Array],
    data: Array,
    weight: Array,
    gamma: Array,
    beta: Array,
    *,
    eps: float,
) -> tuple[Array, ...]:
    """Return the gradients by weight, gamma and beta."""
    found = embedding(data, weight)
    by_rows, *others = layer_norm_gradient(cotangents, found, gamma, beta, eps=eps)
    return *embedding_gradient([by_rows], data, weight), *others


class EmbeddingLayerNorm(Composition):
    """layer_norm(weight[data]), as at the start of BERT.

    Typical is BERT-base's vocabulary for 4 sequences of 128 tokens, large for 8 of 512; skewed a
    long table of short rows.
    """

    tensors = {**Embedding.tensors, "gamma": LayerNorm.tensors["gamma"], "beta": Tensor()}
    attributes = {"eps": 1e-5}
    sizes = {
        size: {"data": data, "weight": table, "gamma": table[1:], "beta": table[1:]}
        for size, (data, table) in {
            "small": ((4, 16), (128, 32)),
            "typical": ((4, 128), (30522, 768)),
            "large": ((8, 512), (30522, 768)),
            "skewed": ((3, 341), (100003, 13)),
        }.items()
    }
    part_read = Embedding.part_read
    reference = embedding_layer_norm
    gradient = embedding_layer_norm_gradient
    tolerance = CANCELING_SUMS.because("what is near the mean is a difference from it")
    gradient_tolerance = tolerance

    def domains(self) -> Mapping[str, Tensor]:
        """Return indices within the table."""
        return {**self.tensors, **self.lookup().domains()}

    def lookup(self) -> Declaration:
        """Return the embedding."""
        shapes = {name: self.inputs[name] for name in Embedding.tensors}
        return part_of(self, Embedding, **shapes)

    def parts(self) -> tuple[Declaration, ...]:
        """Return the embedding and the normalization."""
        scaled = {name: self.inputs[name] for name in ("gamma", "beta", "eps")}
        return self.lookup(), part_of(self, LayerNorm, data=self.outputs()[0], **scaled)

    def outputs(self) -> tuple[Shape, ...]:
        """Return a row for each index."""
        self.require_rank("weight", 2)
        features = self.inputs["weight"][1:]
        for name in ("gamma", "beta"):
            self.require(self.inputs[name] == features, name, f"must be {features}")
        self.require_least_rank("data", 1)
        self.require(self.inputs["eps"] > 0, "eps", "must be positive")
        return ((*self.inputs["data"], *features),)


def add_rms_norm(data: Array, residual: Array, gamma: Array, *, eps: float) -> Array:
    """Return rms_norm(data + residual)."""
    return rms_norm(data + residual, gamma, eps=eps)


def add_rms_norm_gradient(
    cotangents: Sequence[Array], data: Array, residual: Array, gamma: Array, *, eps: float
) -> tuple[Array, Array, Array]:
    """Return the gradients by data, residual and gamma."""
    by_total, by_gamma = rms_norm_gradient(cotangents, data + residual, gamma, eps=eps)
    return by_total, by_total, by_gamma


class AddRMSNorm(Composition, RMSNorm):
    """rms_norm(data + residual), as between the blocks of Llama.

    Typical is Llama-7B on 512 tokens.
    """

    tensors = {"data": Tensor(), "residual": Tensor(), "gamma": RMSNorm.tensors["gamma"]}
    sizes = {size: {**shapes, "residual": shapes["data"]} for size, shapes in RMSNorm.sizes.items()}
    reference: ClassVar[Any] = add_rms_norm
    gradient: ClassVar[Any] = add_rms_norm_gradient

    def parts(self) -> tuple[Declaration, ...]:
        """Return the sum and the normalization."""
        shape, gamma, eps = (self.inputs[name] for name in ("data", "gamma", "eps"))
        total = part_of(self, Add, lhs=shape, rhs=self.inputs["residual"])
        return total, part_of(self, RMSNorm, data=shape, gamma=gamma, eps=eps)

    def outputs(self) -> tuple[Shape, ...]:
        """Return the data's shape."""
        shape = self.inputs["data"]
        self.require(self.inputs["residual"] == shape, "residual", f"must be {shape}, as data is")
        return super().outputs()


def group_norm_silu(data: Array, gamma: Array, beta: Array, *, groups: int, eps: float) -> Array:
    """Return SiLU(group_norm(data))."""
    return swish(group_norm(data, gamma, beta, groups=groups, eps=eps))


def group_norm_silu_gradient(
    cotangents: Sequence[Array], data: Array, gamma: Array, beta: Array, *, groups: int, eps: float
) -> tuple[Array, Array, Array]:
    """Return the gradients by data, gamma and beta."""
    normal = group_norm(data, gamma, beta, groups=groups, eps=eps)
    through = [cotangents[0] * swish_slope(normal)]
    return group_norm_gradient(through, data, gamma, beta, groups=groups, eps=eps)


class GroupNormSiLU(Composition, GroupNorm):
    """SiLU(group_norm(data)), as before a convolution of a U-Net.

    Typical is the first stage of Stable Diffusion 1, for an image of 512 x 512 pixels.
    """

    sizes = {
        **GroupNorm.sizes,
        "typical": {**layer((1, 320, 64, 64)), "groups": 32},
        "large": {**layer((4, 320, 64, 64)), "groups": 32},
    }
    reference = group_norm_silu
    gradient = group_norm_silu_gradient

    def parts(self) -> tuple[Declaration, ...]:
        """Return the normalization and the activation."""
        inputs = {name: self.inputs[name] for name in (*self.tensors, *self.attributes)}
        return part_of(self, GroupNorm, **inputs), part_of(self, Swish, data=self.inputs["data"])

"""ViT-B/16: https://arxiv.org/abs/2010.11929."""

from __future__ import annotations

from typing import Any

from mxnet import init
from mxnet.gluon import nn

from opperf.networks.mxnet.layers import sequence
from opperf.networks.mxnet.model import Model
from opperf.networks.mxnet.transformer import TransformerBlock
from opperf.networks.registry import implements

PATCH, WIDTH, HEADS, LAYERS = 16, 768, 12, 12
EPSILON = 1e-6


@implements("vit_b_16", title="ViT-B/16", parameters=86_567_656)
class Vit(Model):
    """Patches of 16 x 16 pixels as tokens, twelve blocks, and a classifier on the first token."""

    tiny, batch = 32, 4

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        tokens = (self.size // PATCH) ** 2 + 1
        self.patches = nn.Conv2D(WIDTH, PATCH, PATCH, in_channels=3)
        self.token = self.params.get("token", shape=(1, 1, WIDTH), init=init.Zero())
        self.position = self.params.get(
            "position", shape=(1, tokens, WIDTH), init=init.Normal(0.02)
        )
        self.blocks = sequence(
            *(TransformerBlock(WIDTH, HEADS, 0.0, epsilon=EPSILON) for _ in range(LAYERS))
        )
        self.norm = nn.LayerNorm(epsilon=EPSILON, in_channels=WIDTH)
        self.head = nn.Dense(self.classes, in_units=WIDTH)

    def hybrid_forward(self, F: Any, data: Any, token: Any, position: Any) -> Any:  # noqa: N803 - Gluon's
        """Return the scores of each class."""
        patches = F.transpose(F.reshape(self.patches(data), shape=(0, 0, -1)), axes=(0, 2, 1))
        first = F.broadcast_like(token, patches, lhs_axes=(0,), rhs_axes=(0,))
        joined = F.broadcast_add(F.concat(first, patches, dim=1), position)
        found = self.norm(self.blocks(joined))
        return self.head(F.slice_axis(found, axis=1, begin=0, end=1))

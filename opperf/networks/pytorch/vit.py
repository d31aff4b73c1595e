"""ViT-B/16: https://arxiv.org/abs/2010.11929."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from opperf.networks.pytorch.model import Model
from opperf.networks.pytorch.transformer import TransformerBlock
from opperf.networks.registry import implements

PATCH, WIDTH, HEADS, LAYERS = 16, 768, 12, 12
EPSILON = 1e-6


@implements("vit_b_16", title="ViT-B/16", parameters=86_567_656)
class Vit(Model):
    """Patches of 16 x 16 pixels as tokens, twelve blocks, and a classifier on the first token."""

    tiny, batch = 32, 4

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.patches = nn.Conv2d(3, WIDTH, PATCH, PATCH)
        self.token = nn.Parameter(torch.zeros(1, 1, WIDTH))
        self.position = nn.Parameter(torch.randn(1, (self.size // PATCH) ** 2 + 1, WIDTH) * 0.02)
        self.blocks = nn.Sequential(
            *(TransformerBlock(WIDTH, HEADS, 0.0, epsilon=EPSILON) for _ in range(LAYERS))
        )
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.head = nn.Linear(WIDTH, self.classes)

    def forward(self, data: Any) -> Any:
        """Return the scores of each class."""
        patches = self.patches(data).flatten(2).transpose(1, 2)
        joined = torch.cat([self.token.expand(len(data), -1, -1), patches], dim=1)
        found = self.norm(self.blocks(joined + self.position))
        return self.head(found[:, 0])

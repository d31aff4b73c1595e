"""ViT-B/16: https://arxiv.org/abs/2010.11929."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from opperf.pytorch_benchmarks.networks.examples import CLASSES, IMAGE, classification, images
from opperf.pytorch_benchmarks.networks.transformer import TransformerBlock

if TYPE_CHECKING:
    from opperf.pytorch_benchmarks.networks.examples import Example

PATCH, WIDTH, HEADS, LAYERS = 16, 768, 12, 12
EPSILON = 1e-6


class Vit(nn.Module):
    """Patches of 16 x 16 pixels as tokens, twelve blocks, and a classifier on the first token."""

    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, WIDTH, PATCH, PATCH)
        self.token = nn.Parameter(torch.zeros(1, 1, WIDTH))
        self.position = nn.Parameter(torch.randn(1, (IMAGE // PATCH) ** 2 + 1, WIDTH) * 0.02)
        self.blocks = nn.Sequential(
            *(TransformerBlock(WIDTH, HEADS, 0.0, epsilon=EPSILON) for _ in range(LAYERS))
        )
        self.norm = nn.LayerNorm(WIDTH, EPSILON)
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, data: Any) -> Any:
        """Return the scores of each class."""
        patches = self.patches(data).flatten(2).transpose(1, 2)
        joined = torch.cat([self.token.expand(len(data), -1, -1), patches], dim=1)
        found = self.norm(self.blocks(joined + self.position))
        return self.head(found[:, 0])


def vit_b_16(batch: int = 4) -> Example:
    """Return ViT-B/16."""
    return Vit(), (images(batch),), classification(batch)

"""Inception v4: https://arxiv.org/abs/1602.07261, figures 3 to 9."""

from __future__ import annotations

from typing import Any

from torch import nn

from opperf.networks.pytorch.inception import chain, classifier, fork, mean
from opperf.networks.pytorch.layers import Parallel
from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements


def stem() -> list[nn.Module]:
    """Return what makes 384 channels of 35 x 35 pixels of an image (figure 3)."""
    return [
        *chain(3, (32, 3, 2), (32, 3, 1), (64, 3)),
        Parallel(nn.MaxPool2d(3, 2), chain(64, (96, 3, 2))),
        Parallel(
            chain(160, (64, 1), (96, 3, 1)),
            chain(160, (64, 1), (64, (7, 1)), (64, (1, 7)), (96, 3, 1)),
        ),
        Parallel(chain(192, (192, 3, 2)), nn.MaxPool2d(3, 2)),
    ]


def module_a() -> Parallel:
    """Return a module of 35 x 35 pixels (figure 4)."""
    return Parallel(
        chain(384, (96, 1)),
        chain(384, (64, 1), (96, 3)),
        chain(384, (64, 1), (96, 3), (96, 3)),
        mean(384, 96),
    )


def module_b() -> Parallel:
    """Return a module of 17 x 17 pixels (figure 5)."""
    return Parallel(
        chain(1024, (384, 1)),
        chain(1024, (192, 1), (224, (1, 7)), (256, (7, 1))),
        chain(1024, (192, 1), (192, (1, 7)), (224, (7, 1)), (224, (1, 7)), (256, (7, 1))),
        mean(1024, 128),
    )


def module_c() -> Parallel:
    """Return a module of 8 x 8 pixels (figure 6)."""
    return Parallel(
        chain(1536, (256, 1)),
        chain(1536, (384, 1), then=fork(384, 256)),
        chain(1536, (384, 1), (448, (1, 3)), (512, (3, 1)), then=fork(512, 256)),
        mean(1536, 256),
    )


@implements("inception4", title="Inception v4", parameters=42_679_816)
class InceptionV4(Model):
    """A stem, fourteen modules at three sizes, and two reductions between them."""

    size, tiny = 299, 75

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.layers = nn.Sequential(
            *stem(),
            *(module_a() for _ in range(4)),
            Parallel(
                chain(384, (384, 3, 2)),
                chain(384, (192, 1), (224, 3), (256, 3, 2)),
                nn.MaxPool2d(3, 2),
            ),
            *(module_b() for _ in range(7)),
            Parallel(
                chain(1024, (192, 1), (192, 3, 2)),
                chain(1024, (256, 1), (256, (1, 7)), (320, (7, 1)), (320, 3, 2)),
                nn.MaxPool2d(3, 2),
            ),
            *(module_c() for _ in range(3)),
            *classifier(1536, self.classes),
        )

    def forward(self, data: Any) -> Any:
        """Return the scores of each class."""
        return self.layers(data)

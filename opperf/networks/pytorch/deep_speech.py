"""Deep Speech 2, of the size that dlbs gives it: https://arxiv.org/abs/1512.02595.

Two convolutions over time and frequency, three bidirectional layers of a plain recurrent network,
and connectionist temporal classification of pairs of letters. Unlike the paper's, the recurrent
layers are not batch-normalized, and the outputs of both directions are joined, not added.
"""

from __future__ import annotations

from typing import Any

from torch import nn
from torch.nn import functional

from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements

FEATURES, CHANNELS, HIDDEN, LAYERS = 161, 32, 2048, 3
CLIP = 20.0
LETTERS, LABELS = 29, 8
"""Those of an alphabet, and the pairs of them in the text of an example."""


def clipped(inputs: int, kernel: tuple[int, int], stride: tuple[int, int]) -> list[nn.Module]:
    """Return a padded convolution, its batch normalization, and min(max(x, 0), 20)."""
    padding = (5, kernel[1] // 2)
    return [
        nn.Conv2d(inputs, CHANNELS, kernel, stride, padding, bias=False),
        nn.BatchNorm2d(CHANNELS),
        nn.Hardtanh(0.0, CLIP, inplace=True),
    ]


@implements("deep_speech2")
class DeepSpeech2(Model):
    """Scores of each pair of letters, and of none (class 0), at every third frame."""

    title = "DeepSpeech2"
    size, tiny, classes = 200, 43, LETTERS**2 + 1
    # By hand: 32 * 11 * (41 + 32 * 21) and 4 * 32 of the convolutions;
    # 2 * 2048 * (1312 + 2048 + 2) and twice 2 * 2048 * (4096 + 2048 + 2); 842 * (4096 + 1).
    parameter_count = 67_819_562

    def __init__(self, *, size: int = size) -> None:  # noqa: ARG002 - recurrent layers take any length
        super().__init__()
        self.convolutions = nn.Sequential(
            *clipped(1, (11, 41), (3, 2)), *clipped(CHANNELS, (11, 21), (1, 2))
        )
        left = ((FEATURES + 1) // 2 + 1) // 2
        self.recurrent = nn.RNN(
            CHANNELS * left, HIDDEN, LAYERS,
            nonlinearity="relu", batch_first=True, bidirectional=True,
        )  # fmt: skip
        self.scores = nn.Linear(2 * HIDDEN, self.classes)

    def forward(self, data: Any) -> Any:
        """Return the scores at each step: a spectrogram's frames and features in, classes out."""
        found = self.convolutions(data).transpose(1, 2).flatten(2)
        return self.scores(self.recurrent(found)[0])

    def loss(self, output: Any, labels: Any) -> Any:
        """Return the negative log-likelihood of the labels at any alignment, a mean of examples."""
        batch, steps, _ = output.shape
        scores = functional.log_softmax(output.float(), dim=-1).transpose(0, 1)
        lengths = labels.new_full((batch,), labels.shape[1])
        total = functional.ctc_loss(
            scores, labels, lengths.new_full((batch,), steps), lengths, reduction="sum"
        )
        return total / batch

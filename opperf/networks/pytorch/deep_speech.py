"""Deep Speech 2, of the size that dlbs gives it: https://arxiv.org/abs/1512.02595.

Two convolutions over time and frequency, three bidirectional layers of a plain recurrent network,
and connectionist temporal classification of pairs of letters. Unlike the paper's, the recurrent
layers are not batch-normalized, and the outputs of both directions are joined, not added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch import nn
from torch.nn import functional

from opperf.networks.examples import spectrogram_texts
from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements

if TYPE_CHECKING:
    from numpy.random import Generator

    from opperf.networks.examples import Example

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


# By hand: 32 * 11 * (41 + 32 * 21) and 4 * 32 of the convolutions; 2 * 2048 * (1312 + 2048 + 2) and
# twice 2 * 2048 * (4096 + 2048 + 2) of the recurrent layers; 842 * (4096 + 1) of the scores.
@implements("deep_speech2", title="Deep Speech 2", parameters=67_819_562)
class DeepSpeech2(Model):
    """Scores of each pair of letters, and of none (class 0), at every third frame."""

    size, tiny, classes = 200, 43, LETTERS**2 + 1

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
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

    def example(self, batch: int, generator: Generator) -> Example:
        """Return random spectrograms, and pairs of letters of each."""
        shape, text = (self.size, FEATURES), (LABELS, self.classes)
        return spectrogram_texts(generator, batch, shape, text)

    def loss(self, output: Any, labels: Any) -> Any:
        """Return the negative log-likelihood of the texts at any alignment, a step's share of it.

        As a sum over an example's steps it would be too large to train at the usual rate.
        """
        batch, steps, _ = output.shape
        scores = functional.log_softmax(output.float(), dim=-1).transpose(0, 1)
        lengths = labels.new_full((batch,), labels.shape[1])
        total = functional.ctc_loss(
            scores, labels, lengths.new_full((batch,), steps), lengths, reduction="sum"
        )
        return total / (batch * steps)

"""PyTorch's sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.core.frameworks.implementation import built
from opperf.operators import sequence

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.core.frameworks.device import Step


def mask(steps: Callable[..., Any], fill: Callable[..., Any], data: Any, lengths: Any) -> Step:
    """Compose; what lies outside is found anew each time, as for each batch."""
    count, device = len(data), data.device

    def composition() -> Any:
        outside = steps(count, device=device)[:, None] >= lengths
        return fill(data, outside[..., None], 0.0)

    return composition


def last(index: Callable[..., Any], steps: Callable[..., Any], data: Any, lengths: Any) -> Step:
    """Compose likewise."""
    batch, device = data.shape[1], data.device

    def composition() -> Any:
        return index(data, (lengths.long() - 1, steps(batch, device=device)))

    return composition


def pack(call: Callable[..., Any], data: Any, lengths: Any) -> Step:
    """Bind the lengths, which torch wants on the CPU, and return the elements alone."""
    counts = lengths.cpu().long()
    return lambda: call(data, counts).data


TABLE = {
    sequence.SequenceMask: built("torch.arange + torch.masked_fill", mask),
    sequence.SequenceLast: built("torch.Tensor.__getitem__ + torch.arange", last),
    sequence.PackPaddedSequence: built("torch.nn.utils.rnn.pack_padded_sequence", pack),
}

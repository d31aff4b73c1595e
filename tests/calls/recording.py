"""Record one step of a small network twice: by PyTorch's profiler, and by its dispatcher.

``python recording.py FOLDER`` writes trace.json and dispatched.json.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile
from torch.utils._python_dispatch import TorchDispatchMode


class Recording(TorchDispatchMode):
    """Counts what is dispatched."""

    def __init__(self) -> None:
        super().__init__()
        self.found: Counter[str] = Counter()

    def __torch_dispatch__(self, call: Any, _: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Count a call, and make it."""
        self.found[str(call)] += 1
        return call(*args, **(kwargs or {}))


def main(folder: Path) -> None:
    """Make the same step under both."""
    torch.manual_seed(0)
    nn = torch.nn
    network = nn.Sequential(
        nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(4 * 4 * 5, 6), nn.LayerNorm(6), nn.GELU(), nn.Dropout(0.5),
    )  # fmt: skip
    words = nn.Embedding(10, 6)
    data, indices = torch.randn(2, 3, 8, 10), torch.tensor([1, 2])

    def step() -> None:
        hidden = network(data)
        joined = torch.cat([hidden, words(indices)]).t()
        masked = joined.masked_fill(joined > 1.0, float("-inf")).softmax(0)
        masked[:, 1:].half().sum(dtype=torch.float32).backward()

    step()
    with Recording() as recording:
        step()
    (folder / "dispatched.json").write_text(json.dumps(recording.found))
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as profiled:
        step()
    profiled.export_chrome_trace(str(folder / "trace.json"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

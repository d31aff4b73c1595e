"""Networks of a user's own, in a folder that --model-dir names."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import torch
from torch import nn

from opperf.networks.pytorch.model import Model
from opperf.networks.registry import implements


@implements("small", title="Small", parameters=None)
@implements("nothing", title="Nothing", scale=float("nan"))
@implements("deaf", title="Deaf", scale=0.0)
class Small(Model):
    """One layer."""

    size, tiny, batch, classes = 8, 4, 4, 3

    def __init__(self, scale: float = 1.0, **given: Any) -> None:
        super().__init__(**given)
        self.scale = scale
        self.layer = nn.Linear(3 * self.size**2, self.classes)

    def forward(self, data: Any) -> Any:
        """Return the scores of each class."""
        return self.layer(data.flatten(1)) * self.scale


@implements("dying", title="Dying")
class Dying(Small):
    """Ends its process in its second step."""

    def forward(self, data: Any) -> Any:
        """Return scores once."""
        self.calls = getattr(self, "calls", 0) + 1
        if self.calls > 1:
            os.write(2, b"last words\n")
            os._exit(7)
        return super().forward(data)


@implements("slow", title="Slow", seconds=0.25)
@implements("hanging", title="Hanging", seconds=100.0)
class Waiting(Small):
    """Takes its time from its second step on."""

    def __init__(self, seconds: float, **given: Any) -> None:
        super().__init__(**given)
        self.seconds = seconds

    def forward(self, data: Any) -> Any:
        """Return scores after a while."""
        time.sleep(getattr(self, "waiting", 0.0))
        self.waiting = self.seconds
        return super().forward(data)


@implements("unfit", title="Unfit")
class Unfit(Small):
    """Raises."""

    def forward(self, data: Any) -> Any:
        """Multiply what does not fit."""
        return data @ torch.ones(7, 7)


@implements("killed", title="Killed")
class Killed(Small):
    """Kills the second of several processes in its second step."""

    def forward(self, data: Any) -> Any:
        """Return scores once."""
        self.calls = getattr(self, "calls", 0) + 1
        if self.calls > 1 and os.environ["RANK"] == "1":
            os.write(2, b"last words\n")
            os.kill(os.getpid(), signal.SIGKILL)
        return super().forward(data)

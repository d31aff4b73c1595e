"""What `opperf model` adds to a step, against the same loop written by hand, in turns.

    python benchmarks/model_overhead.py [MODEL] [BATCH] [PAIRS]

Both train one network each, made alike, on the same batch: by hand as PyTorch's users write it, and
as opperf times it, a pair of steps after the other in an order that is drawn. It ends with the
median ratio, its 95 % interval, and the cost of opperf's own step with nothing to do in it.
"""

from __future__ import annotations

import random
import sys
from statistics import median
from time import perf_counter_ns
from typing import Any

import numpy as np
import torch

from opperf.core.frameworks.device import Device
from opperf.core.statistics.summary import summarize
from opperf.networks.measuring.stepping import Stepper
from opperf.networks.measuring.trainer import DECAY, LEARNING_RATE, MOMENTUM, make_trainer
from opperf.networks.registry import find_entry, make_model
from opperf.networks.request import ModelRequest

WARMUP, EMPTY = 3, 10_000


class Idle:
    """A trainer that does nothing."""

    def __getattr__(self, name: str) -> Any:
        """Return a phase without work."""
        return lambda *_: None


def by_hand(name: str, batch: Any) -> Any:
    """Return a step of a network as its users write it."""
    model = make_model(find_entry(name, "pytorch")).train()
    optimizer = torch.optim.SGD(
        model.parameters(), lr=LEARNING_RATE, momentum=MOMENTUM, weight_decay=DECAY
    )
    inputs, labels = batch

    def step() -> None:
        loss = model.loss(model(*inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


def main(name: str, batch_size: int, pairs: int) -> None:
    """Print the figures."""
    torch.set_num_threads(1)
    request = ModelRequest(model=name, batch_size=batch_size, entry=find_entry(name, "pytorch"))
    model = make_model(request.entry)
    trainer = make_trainer(model, request)
    inputs, labels = model.example(batch_size, np.random.default_rng(0))
    batch = trainer.place(((*map(model.tensor, inputs),), model.tensor(labels)))
    work = Stepper(trainer, Idle(), batch, training=True).work(Device())  # type: ignore[arg-type]
    hand = by_hand(name, batch)

    def time_by_hand() -> float:
        began = perf_counter_ns()
        hand()
        return (perf_counter_ns() - began) * 1e-9

    timed = {"hand": time_by_hand, "opperf": lambda: work.time(1)}
    order = random.Random(0)  # noqa: S311 - no secret
    ratios, seconds = [], []
    for pair in range(WARMUP + pairs):
        found = {key: timed[key]() for key in order.sample([*timed], 2)}
        if pair >= WARMUP:
            ratios.append(found["opperf"] / found["hand"])
            seconds.append(found["hand"])
    summary = summarize(ratios)
    idle = Stepper(Idle(), Idle(), "batch", training=True).work(Device())  # type: ignore[arg-type]
    cost = idle.time(EMPTY) / EMPTY
    print(f"{name}, batch {batch_size}: {pairs} pairs, a step by hand {median(seconds):.4g} s")
    print(f"opperf / by hand: {summary.median:.4f}, 95 % {summary.interval}")
    print(f"opperf's own part of a step: {cost * 1e6:.2f} us, {cost / median(seconds):.4%} of one")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(
        given[0] if given else "resnet18",
        int(given[1]) if len(given) > 1 else 4,
        int(given[2]) if len(given) > 2 else 40,
    )

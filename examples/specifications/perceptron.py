"""A perceptron of fixed weights in both frameworks, for perceptron.json beside this file.

Run alone, it writes the input and the golden output that perceptron.json compares with.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import mxnet as mx
    import torch

INPUTS, HIDDEN, OUTPUTS = 64, 128, 10


def weights(outputs: int, inputs: int) -> np.ndarray:
    """Return weights that are the same everywhere."""
    return np.sin(np.arange(outputs * inputs)).reshape(outputs, inputs).astype("float32") / 8


def pytorch() -> torch.nn.Module:
    """Return the perceptron of PyTorch."""
    import torch

    hidden = torch.nn.Linear(INPUTS, HIDDEN, bias=False)
    last = torch.nn.Linear(HIDDEN, OUTPUTS, bias=False)
    with torch.no_grad():
        for layer in (hidden, last):
            layer.weight.copy_(torch.from_numpy(weights(*layer.weight.shape)))
    return torch.nn.Sequential(hidden, torch.nn.ReLU(), last)


def mxnet() -> mx.gluon.Block:
    """Return the perceptron of MXNet."""
    from mxnet import gluon, nd

    net = gluon.nn.HybridSequential()
    net.add(
        gluon.nn.Dense(HIDDEN, in_units=INPUTS, use_bias=False, activation="relu"),
        gluon.nn.Dense(OUTPUTS, in_units=HIDDEN, use_bias=False),
    )
    net.initialize()
    for layer in net:
        layer.weight.set_data(nd.array(weights(*layer.weight.shape)))
    return net


def write_files(folder: Path) -> None:
    """Write an input and the output that is right, as float64 has it."""
    data = np.cos(np.arange(4 * INPUTS)).reshape(4, INPUTS).astype("float32")
    hidden = np.maximum(data.astype("float64") @ weights(HIDDEN, INPUTS).T, 0)
    np.save(folder / "data.npy", data)
    np.save(folder / "golden.npy", (hidden @ weights(OUTPUTS, HIDDEN).T).astype("float32"))


if __name__ == "__main__":
    write_files(Path(__file__).parent)

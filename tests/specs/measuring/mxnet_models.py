"""Models of MXNet, the twins of those of PyTorch."""

from __future__ import annotations

from typing import Any

import mxnet
from mxnet import gluon


class Sum(gluon.HybridBlock):
    """data * 2 + other."""

    def hybrid_forward(self, F: Any, data: Any, other: Any) -> Any:  # noqa: N803, ARG002 - Gluon's
        """Return the sum."""
        return data * 2 + other


def add() -> Any:
    """Return the sum."""
    return Sum()


def perceptron() -> Any:
    """Return two layers with dropout between."""
    mxnet.random.seed(0)
    net = gluon.nn.HybridSequential()
    net.add(
        gluon.nn.Dense(16, activation="relu", in_units=8), gluon.nn.Dropout(0.5),
        gluon.nn.Dense(4, in_units=16),
    )  # fmt: skip
    net.initialize(mxnet.init.Xavier())
    return net

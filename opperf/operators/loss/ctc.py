"""Connectionist temporal classification (Graves et al. 2006): a loss over alignments."""

from __future__ import annotations

from dataclasses import replace
from math import inf, prod
from typing import TYPE_CHECKING

import numpy as np

from opperf.core.checking.tolerance import CANCELING_SUMS
from opperf.core.tensors.tensor import Tensor
from opperf.declaring.declaration import Declaration
from opperf.operators.softmax.softmax import log_softmax

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.checking.tolerance import Bound
    from opperf.core.tensors.tensor import Array, Initializer, Shape


BLANK = 0
PEAK = 5.0
"""By how much the logits of an alignment exceed the others, as in a trained network.

Otherwise each step would cost about the logarithm of the number of classes, and float32 hold too
few digits of the sums.
"""
SURE_STEPS = 32
"""The number of steps that lose no digits worth mentioning."""


def with_blanks(label: Array) -> Array:
    """Return labels with a blank before, between and after: (batch, 2 * length + 1)."""
    extended = np.full((len(label), 2 * label.shape[1] + 1), BLANK)
    extended[:, 1::2] = label
    return extended


def pairs(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
    """Draw labels in equal pairs, so that neighbors are alternately equal and different."""
    del random  # the logits must know them
    return low + np.arange(prod(shape)).reshape(shape) // 2 % (high - low + 1)


def alignment_logits(label: Array) -> Initializer:
    """Return the initializer of logits that favor an alignment of these labels."""

    def draw(random: np.random.Generator, shape: Shape, low: float, high: float) -> Array:
        del low, high  # logits have no bounds
        path = with_blanks(label)
        states = np.arange(shape[0]) * path.shape[1] // shape[0]
        logits = random.standard_normal(shape)
        logits[np.arange(shape[0])[:, None], np.arange(shape[1]), path[:, states].T] += PEAK
        return logits

    return draw


def forward_variables(emitted: Array, extended: Array) -> Array:
    """Return log(alpha) (equations 6 and 7), (steps, batch, extended length).

    `emitted` holds the logarithm of each extended label's probability at each step.
    """
    states = np.full_like(emitted[0], -inf)
    states[:, :2] = emitted[0, :, :2]
    skips = np.where(extended[:, 2:] != extended[:, :-2], 0.0, -inf).astype(emitted.dtype)
    found = [states]
    for probabilities in emitted[1:]:
        sums = states.copy()
        sums[:, 1:] = np.logaddexp(sums[:, 1:], states[:, :-1])
        sums[:, 2:] = np.logaddexp(sums[:, 2:], states[:, :-2] + skips)
        states = sums + probabilities
        found.append(states)
    return np.stack(found)


def align(data: Array, label: Array) -> tuple[Array, Array, Array]:
    """Return the extended labels, their log-probabilities and the forward variables."""
    extended = with_blanks(label)
    emitted = np.take_along_axis(log_softmax(data, axis=-1), extended[None], axis=2)
    return extended, emitted, forward_variables(emitted, extended)


def ctc_loss(data: Array, label: Array) -> Array:
    """-log(P(labels | pred)) (equation 8)."""
    *_, alpha = align(data, label)
    result: Array = -np.logaddexp(alpha[-1, :, -1], alpha[-1, :, -2])
    return result


def ctc_loss_gradient(cotangents: Sequence[Array], data: Array, label: Array) -> tuple[Array]:
    """Return cotangent * (softmax(pred) - label share) (equation 16)."""
    extended, emitted, alpha = align(data, label)
    beta = forward_variables(emitted[::-1, :, ::-1], extended[:, ::-1])[::-1, :, ::-1]
    shares = np.exp(alpha + beta - emitted + ctc_loss(data, label)[:, None])
    slope = np.exp(log_softmax(data, axis=-1)).transpose(1, 2, 0)
    for classes, places, share in zip(slope, extended, shares.transpose(1, 2, 0), strict=True):
        np.subtract.at(classes, places, share)
    return (slope.transpose(2, 0, 1) * cotangents[0][:, None],)


class CTCLoss(Declaration):
    """-log(P(labels | pred)) over all alignments, of logits (steps, batch, classes).

    Class 0 is the blank, labels are (batch, length), and every sequence is full. Typical is Deep
    Speech 2 (Amodei et al. 2016) on 1 s of speech of 16 speakers: 50 steps, 28 characters and the
    blank. Large has 512 speakers; skewed is the same network's Mandarin, 6000 characters, for one.
    """

    tensors = {
        "data": Tensor(),
        "label": Tensor(dtype="int64", low=1, differentiable=False, initializer=pairs),
    }
    sizes = {
        "small": {"data": (16, 4, 29), "label": (4, 5)},
        "typical": {"data": (50, 16, 29), "label": (16, 20)},
        "large": {"data": (50, 512, 29), "label": (512, 20)},
        "skewed": {"data": (51, 1, 6001), "label": (1, 7)},
    }
    reference = ctc_loss
    gradient = ctc_loss_gradient
    gradient_tolerance = CANCELING_SUMS

    def domains(self) -> Mapping[str, Tensor]:
        """Return labels of all classes but the blank, and logits that favor them."""
        high = self.inputs["data"][2] - 1
        label = replace(self.tensors["label"], high=high)
        values = pairs(np.random.default_rng(0), self.inputs["label"], 1, high).astype(int)
        return {"data": Tensor(initializer=alignment_logits(values)), "label": label}

    def outputs(self) -> tuple[Shape, ...]:
        """Return one value per sequence."""
        self.require_rank("data", 3)
        self.require_rank("label", 2)
        steps, batch, classes = self.inputs["data"]
        found, length = self.inputs["label"]
        self.require(classes > 1, "data", "must have a class beside the blank")
        self.require(found == batch, "label", f"must have {batch} rows, data's batch")
        fits = 1 <= length <= (steps + 1) // 2
        rule = f"must have 1 to {(steps + 1) // 2} columns: {steps} steps with blanks between"
        self.require(fits, "label", rule)
        return ((batch,),)

    def flop_count(self) -> int:
        """Return four operations per logit for the softmax, three per cell of alpha's lattice."""
        steps, batch, _ = self.inputs["data"]
        cells = steps * batch * (2 * self.inputs["label"][1] + 1)
        return 4 * prod(self.inputs["data"]) + 3 * int(cells)

    def gradient_bound(self) -> Bound:
        """Return a bound that grows with the steps, as alpha and beta round at each step.

        Their logarithms grow with the steps, and so does the rounding of each; the roundings of
        many steps add up like a random walk.
        """
        steps = max(1, self.inputs["data"][0] / SURE_STEPS)
        return super().gradient_bound().widened(steps**1.5)

"""Softmax over strided elements."""

from __future__ import annotations

from opperf.operators.softmax.softmax import Softmax


class SoftmaxChannels(Softmax):
    """softmax(data) over the channels of NCHW images, which are a plane apart in memory.

    Typical are the scores of PASCAL VOC's 21 classes for a quarter of 513 x 513 pixels, for 4
    images; skewed has more classes than pixels.
    """

    attributes = {"axis": 1}
    sizes = {
        "small": {"data": (1, 8, 16, 16)},
        "typical": {"data": (4, 21, 129, 129)},
        "large": {"data": (4, 21, 513, 513)},
        "skewed": {"data": (3, 2053, 3, 5)},
    }
    tags = ()

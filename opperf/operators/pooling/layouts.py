"""Poolings of images whose channels are last in memory."""

from __future__ import annotations

from opperf.declaring.layouts import ChannelsAtEnd
from opperf.operators.pooling.pooling import AvgPool2D, MaxPool2D


class MaxPool2DChannelsLast(ChannelsAtEnd, MaxPool2D):
    """MaxPool2D on data whose channels are last in memory."""


class AvgPool2DChannelsLast(ChannelsAtEnd, AvgPool2D):
    """AvgPool2D on data whose channels are last in memory."""

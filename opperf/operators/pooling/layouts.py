"""Pooling of images in channels-last layout."""

from __future__ import annotations

from opperf.declaring.layouts import WithChannelsLast
from opperf.operators.pooling.pooling import AvgPool2D, MaxPool2D


class MaxPool2DChannelsLast(WithChannelsLast, MaxPool2D):
    """Maximum pooling of images that are channels-last in memory."""


class AvgPool2DChannelsLast(WithChannelsLast, AvgPool2D):
    """Average pooling of images that are channels-last in memory."""

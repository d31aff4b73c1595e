"""Gradient of a weighted bag by its scales alone, as with a table that another process updates."""

from __future__ import annotations

from opperf.declaring.one_gradient import OneGradient
from opperf.operators.embedding.bag import EmbeddingBagWeightedSum


class EmbeddingBagScalesGradient(OneGradient, EmbeddingBagWeightedSum):
    """Gradient of EmbeddingBagWeightedSum by scales alone."""

    by = "scales"

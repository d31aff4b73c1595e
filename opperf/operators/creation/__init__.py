"""Tensor creation."""

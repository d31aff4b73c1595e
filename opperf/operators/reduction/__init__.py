"""Reductions along one axis."""

"""Cumulative operators and differences along one axis."""

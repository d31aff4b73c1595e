"""Comparisons of two tensors, element by element."""

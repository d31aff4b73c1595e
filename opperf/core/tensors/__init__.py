"""Tensors as an operator declares them, and the host arrays that fill them."""

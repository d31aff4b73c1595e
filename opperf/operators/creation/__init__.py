"""Tensors made from nothing but a shape, a value or a range."""

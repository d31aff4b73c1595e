"""Tensors made larger: repeated, or surrounded by a constant."""

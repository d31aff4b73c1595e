"""Binding of PyTorch's callables to an operator's tensors and attributes, by category."""

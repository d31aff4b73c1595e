"""Binding of MXNet's callables to an operator's tensors and attributes, by category."""

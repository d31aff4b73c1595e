"""How MXNet's callables are bound to an operator's tensors and attributes."""

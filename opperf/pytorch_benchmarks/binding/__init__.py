"""How PyTorch's callables are bound to an operator's tensors and attributes."""

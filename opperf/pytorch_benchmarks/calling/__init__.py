"""PyTorch's own operators, ATen: what they are to us, and what PyTorch says of them."""

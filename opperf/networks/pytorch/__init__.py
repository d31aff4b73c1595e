"""Networks in plain PyTorch, a file a family; importing this package does not import torch."""

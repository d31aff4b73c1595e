"""A framework's own operator as one of our declarations, on the same tensors and attributes."""

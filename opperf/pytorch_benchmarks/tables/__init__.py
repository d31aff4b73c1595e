"""What PyTorch calls for each operator, and what it cannot do: a module a category."""

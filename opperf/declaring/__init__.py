"""Base classes of operator declarations, and the registry of operators."""

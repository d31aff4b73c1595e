"""Fused operators, each beside the composition of parts that it replaces."""

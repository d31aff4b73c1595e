"""Correct before fast: a framework's outputs and gradients against the float64 reference."""

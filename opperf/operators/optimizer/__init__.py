"""Optimizer updates: weights and states changed in place, nothing to differentiate."""

"""Optimizer updates, which change weights and states in place; forward only."""

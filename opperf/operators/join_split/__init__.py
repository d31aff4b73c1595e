"""Joining tensors into one, and splitting one into several."""

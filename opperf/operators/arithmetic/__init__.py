"""Arithmetic of two tensors, out of place and in place, and the negative of one."""

"""Measuring two arms in turns: blocks, pairs of blocks, sessions of fresh processes, campaigns."""

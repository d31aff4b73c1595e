"""Runs of a network's operator calls: what is asked of them, and what they print."""

"""Choosing elements by index, and putting them where an index says."""

"""Element-wise comparisons."""

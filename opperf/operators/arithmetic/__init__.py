"""Element-wise arithmetic."""

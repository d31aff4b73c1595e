"""From samples to a summary, and how far to trust it."""

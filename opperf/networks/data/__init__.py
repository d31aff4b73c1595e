"""Where a network's batches come from."""

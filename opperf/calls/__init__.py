"""The operator calls of real networks: read, captured, measured, ranked."""

"""What other tools write of operator calls, read into the same model."""

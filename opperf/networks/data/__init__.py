"""Where a network's batches come from, and the loaders that fetch them; imports nothing heavy."""

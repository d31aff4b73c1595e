"""A static site of many runs: an index, and a page a run, an operator and a comparison."""

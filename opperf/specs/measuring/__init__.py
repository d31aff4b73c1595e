"""A specification's test in a child process: from a model and its inputs to a record."""

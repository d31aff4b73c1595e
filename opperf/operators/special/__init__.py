"""Special functions: the error function and its kin, and functions of probabilities."""

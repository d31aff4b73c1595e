"""Matrix decompositions, inverses and linear systems."""

"""Decompositions and inverses of matrices, by LAPACK in every framework."""

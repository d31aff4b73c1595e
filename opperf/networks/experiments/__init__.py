"""Experiments: a file of parameters and variables becomes a matrix of runs."""

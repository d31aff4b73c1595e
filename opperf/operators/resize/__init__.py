"""Images made larger or smaller, each axis by a matrix of weights."""

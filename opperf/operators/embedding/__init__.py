"""Tables of vectors, and vectors that name one class of many."""

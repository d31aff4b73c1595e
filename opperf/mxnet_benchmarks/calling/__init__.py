"""MXNet's own operators: what they are to us."""

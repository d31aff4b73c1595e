"""MXNet's callables and limitations for each operator, one module per category."""

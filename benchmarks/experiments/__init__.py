"""The experiments behind docs/accuracy.md, one a module; ``benchmarks/accuracy.py`` runs them."""

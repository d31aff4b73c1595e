"""The experiments behind docs/lab/accuracy.md, one a module; benchmarks/accuracy.py runs them."""

"""Probes of what a framework itself costs around an operator that a user brings."""

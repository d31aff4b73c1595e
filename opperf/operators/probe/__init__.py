"""Probes of a framework's own overhead around an operator."""

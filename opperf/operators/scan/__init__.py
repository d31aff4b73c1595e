"""Scans: what each element becomes together with all before it."""

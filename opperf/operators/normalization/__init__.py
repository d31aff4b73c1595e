"""Normalizations by statistics of the data, or by lengths."""

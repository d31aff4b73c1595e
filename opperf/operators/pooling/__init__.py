"""Poolings of (batch, channels, *size) data."""

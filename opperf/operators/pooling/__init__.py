"""Pooling of (batch, channels, *size) data."""

"""Convolutions of (batch, channels, *size) data by (filters, channels, *kernel) weights."""

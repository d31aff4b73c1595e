"""Embedding lookups and one-hot encoding."""

"""Declarations only, one file a category; the registry finds them by name."""

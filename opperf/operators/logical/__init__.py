"""Logical and bitwise operators, and tests for finite numbers."""

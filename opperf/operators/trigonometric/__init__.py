"""Trigonometric functions, angles and their units."""

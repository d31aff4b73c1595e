"""Gathering elements by index, and scattering them to indices."""

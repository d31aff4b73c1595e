"""Hostile inputs and options, drawn by seed, and what opperf makes of each."""

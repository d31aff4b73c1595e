"""Losses: one value per sample, the mean over all axes but the first."""

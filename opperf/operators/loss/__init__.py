"""Losses: one value a sample, the mean over all axes but the first, as MXNet's Gluon has them."""

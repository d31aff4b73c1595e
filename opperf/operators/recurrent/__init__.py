"""Recurrent layers over a whole sequence (steps, batch, features), from given states."""

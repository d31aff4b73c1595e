"""Trigonometric and hyperbolic functions, and complex numbers in polar form."""

"""The arms of a comparison: what a text names, and the virtual environment it needs."""

"""The language of -k: which operators and which measurements are meant."""

"""Programs of a framework's own: what they print about a test becomes its record."""

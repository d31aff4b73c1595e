"""What declarations are made of, and the registry of those that there are."""

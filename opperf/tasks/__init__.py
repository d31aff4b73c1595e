"""Script tasks: a command, what its log says, and what it takes."""

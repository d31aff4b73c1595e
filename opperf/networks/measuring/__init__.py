"""A network's training or inference in a child process: from a task to its record."""

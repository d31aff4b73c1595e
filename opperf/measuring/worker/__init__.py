"""Measuring in a child process: the parent's handle, and what the two say to each other."""

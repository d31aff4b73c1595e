"""The operator calls of one step of a network, taken down in a process of its own."""

"""What runs in a child process: timing, the memory pass, an arm of a comparison."""

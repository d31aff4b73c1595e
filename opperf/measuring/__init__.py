"""From a task to its results: attempts, workers and their children, campaigns."""

"""An operator's time over many runs: points, change points, gaps."""

"""A command and all processes that come of it: started, bounded, observed, and ended."""

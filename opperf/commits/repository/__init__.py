"""A git repository: its commits in order, and what a remote adds to them."""

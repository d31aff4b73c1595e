"""What a framework has to offer, which ones there are, and what they are given to run."""

"""Networks as subjects: which there are, their training and inference, and their records."""

"""The doctor: what this machine is good for, what disturbs it, and how fast it can be at all."""

"""Building commits: an environment for each, made once and never used half-made."""

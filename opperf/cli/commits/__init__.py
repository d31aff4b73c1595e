"""What `opperf bisect` and `opperf follow` are made of."""

"""What `opperf list` counts of declarations: of what frameworks offer, and of calls."""

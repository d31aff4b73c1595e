"""What `opperf method` is made of: its surroundings, its output and its plot."""

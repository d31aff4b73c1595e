"""What `opperf report` is made of: its flags, comments on changes, and sites."""

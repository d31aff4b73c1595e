"""What `opperf spec` is made of: what is asked, its tasks and programs, and reporters."""

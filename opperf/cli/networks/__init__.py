"""What `opperf model` is made of: flags, experiments, and runs of networks."""

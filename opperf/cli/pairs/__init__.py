"""What `opperf ab` is made of: arms, what is compared in them, and how far."""

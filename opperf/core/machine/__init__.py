"""What a measurement has of the machine: which processors, and when it has them."""

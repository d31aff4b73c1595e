"""One call after the other, checked and timed in the measuring child."""

"""Which commit changed a time: a bisection by noisy sessions, and how probable its answer is."""

"""A network in two arms: its calls one by one, what they predict of its step, and the step."""

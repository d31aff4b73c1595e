"""The peaks of a machine, as measured, and the roof that they are for an operator."""

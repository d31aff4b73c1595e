"""The side that asks: submissions, their progress, their results."""

"""What other tools write, read as results; and results written for other tools."""

"""Carrying a run out: what is on the agenda, what it will take, and what interrupts it."""

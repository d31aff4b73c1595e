"""Plots of results, by matplotlib where it is installed; no display and no state of its is used."""

"""Hosts: what they are, and whether they are quiet enough."""

"""Platforms: where tests run, the devices of each, and which of them are asked for."""

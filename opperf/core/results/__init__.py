"""The record of what was measured: how it is put together, and what its readers rely on."""

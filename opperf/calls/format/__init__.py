"""The calls file, opperf.calls/1: its model, its values for the measuring child, and its reader."""

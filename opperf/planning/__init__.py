"""From a selection to the tasks of a run: its rows, companions of fused operators, sweeps."""

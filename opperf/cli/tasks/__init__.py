"""Commands under watch: the tasks that are named, containers, and what a run shows."""

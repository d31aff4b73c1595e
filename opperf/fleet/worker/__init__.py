"""The worker of a host: one slot, a process of its own for each job, a spool."""

"""A plug-in whose operators harm the process they run in, each followed by an innocent one."""

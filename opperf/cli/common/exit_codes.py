"""The exit codes of the command line, as docs/ci.md has them; errors have their own, 2 mostly."""

FINE, INTERNAL = 0, 1
REGRESSION, FAILED, EMPTY, INCONCLUSIVE, UNCOMPARED = 10, 11, 12, 13, 14
INTERRUPTED = 130

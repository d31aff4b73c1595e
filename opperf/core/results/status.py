"""How a measurement can end."""

STATUSES = (
    "ok", "noisy", "no_time", "failed", "crashed", "timeout", "out_of_memory", "wrong_result",
    "unsupported", "skipped", "interrupted",
)  # fmt: skip
TIMED = ("ok", "noisy")
"""The statuses whose time is a time."""
TROUBLE = ("failed", "crashed", "timeout", "out_of_memory", "wrong_result", "interrupted")
"""The statuses that are somebody's fault: a run with one of them does not end with 0."""

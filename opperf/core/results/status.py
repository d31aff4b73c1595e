"""How a measurement can end."""

STATUSES = (
    "ok", "noisy", "no_time", "failed", "crashed", "timeout", "out_of_memory", "wrong_result",
    "unsupported", "skipped", "interrupted",
)  # fmt: skip
NOISY = "noisy"
"""The status of a time that is not to be relied on, whatever the reason."""
TIMED = ("ok", NOISY)
"""The statuses whose time is a time."""
TROUBLE = ("failed", "crashed", "timeout", "out_of_memory", "wrong_result", "interrupted")
"""The statuses that are somebody's fault: a run with one of them does not end with 0."""

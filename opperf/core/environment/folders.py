"""The folders of this user in which opperf keeps what it makes."""

from __future__ import annotations

import os
from pathlib import Path


def user_cache(*names: str) -> Path:
    """Return a folder for what can be made again: below XDG_CACHE_HOME, else below ~/.cache."""
    return user_folder("XDG_CACHE_HOME", ".cache").joinpath(*names)


def user_state(*names: str) -> Path:
    """Return a folder for what must not be lost: below XDG_STATE_HOME, else ~/.local/state."""
    return user_folder("XDG_STATE_HOME", ".local/state").joinpath(*names)


def user_folder(variable: str, usual: str) -> Path:
    """Return opperf's folder below the one that a variable names, or the usual one at home."""
    return Path(os.environ.get(variable) or Path.home() / usual).absolute() / "opperf"

"""Shared values: objects are merged key by key, and what is nearer to a test wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def deep_merge(nearer: Mapping[str, Any], farther: Mapping[str, Any]) -> dict[str, Any]:
    """Return the nearer object, and of the farther one what the nearer does not say.

    Anything but an object, a list as well, is taken whole from the nearer one. Neither is changed.
    """
    found = {**farther, **nearer}
    for name, value in nearer.items():
        other = farther.get(name)
        if isinstance(value, dict) and isinstance(other, dict):
            found[name] = deep_merge(value, other)
    return found

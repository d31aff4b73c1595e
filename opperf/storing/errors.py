"""What goes wrong in storing, beside what a user can put right by asking otherwise."""

from __future__ import annotations

from opperf.core.errors import OpperfError, UsageError


class StorageError(OpperfError):
    """A result could not be stored; everything stored before it is intact."""


class BusyStoreError(UsageError):
    """Another process writes for longer than this one waits."""

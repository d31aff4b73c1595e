"""What the plugin keeps with pytest's own state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from opperf.pytest_plugin.session import MeasuringSession

SESSION: pytest.StashKey[MeasuringSession] = pytest.StashKey()
"""What was measured; there is none before the first fixture is asked for."""
SLOWER: pytest.StashKey[list[str]] = pytest.StashKey()
"""Why a test fails that has passed."""


def session_of(config: pytest.Config) -> MeasuringSession:
    """Return what this session of pytest has measured so far."""
    if SESSION not in config.stash:
        from opperf.core.errors import OpperfError
        from opperf.pytest_plugin.session import MeasuringSession

        try:
            config.stash[SESSION] = MeasuringSession.of(config)
        except OpperfError as error:
            raise pytest.UsageError(str(error)) from error
    return config.stash[SESSION]

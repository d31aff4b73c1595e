"""What every test gets: no settings from outside, and no GPU test where there is no GPU."""

import os
from pathlib import Path

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests marked ``gpu`` on a machine without an NVIDIA GPU."""
    if Path("/dev/nvidiactl").exists():
        return
    skip = pytest.mark.skip(reason="no NVIDIA GPU on this machine")
    for item in items:
        if item.get_closest_marker("gpu"):
            item.add_marker(skip)


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the user's OPPERF_* variables: they would change what a test measures."""
    for name in [name for name in os.environ if name.startswith("OPPERF_")]:
        monkeypatch.delenv(name)

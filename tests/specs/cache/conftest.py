"""The server of the fetching tests, and a model cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.specs.cache.model_cache import ModelCache
from opperf.specs.format.expanded import FileSpec
from tests.fetching.conftest import server  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def lines() -> list[str]:
    """Return what the cache has told."""
    return []


@pytest.fixture
def cache(tmp_path: Path, lines: list[str]) -> ModelCache:
    """Return an empty cache, and models below a root."""
    root = tmp_path / "root"
    root.mkdir()
    return ModelCache(tmp_path / "cache", root, lines.append)


@pytest.fixture
def spec(tmp_path: Path) -> Callable[..., FileSpec]:
    """Return what makes a file of a specification in this folder."""

    def make(location: str, filename: str = "net.pt", **hashes: str) -> FileSpec:
        return FileSpec(
            filename=filename, location=location, folder=tmp_path, place="s.json: $.model", **hashes
        )

    return make

"""What a child inherits."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from opperf.measuring.worker.variables import ROOT, child_variables

if TYPE_CHECKING:
    import pytest


def test_a_child_inherits_what_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A way to opperf first, then the user's own; nothing that is not on the list."""
    monkeypatch.setenv("PYTHONPATH", "/user/modules")
    monkeypatch.setenv("UNRELATED", "1")
    monkeypatch.setenv("MXNET_API_KEY", "1")
    found = child_variables("numpy", 1, {"OMP_NUM_THREADS": "3", "MINE": "4"})
    assert found["PYTHONPATH"] == f"{ROOT}{os.pathsep}/user/modules"
    assert not {"UNRELATED", "MXNET_API_KEY"} & set(found)
    assert (found["OMP_NUM_THREADS"], found["MINE"]) == ("3", "4")
    assert found["PATH"] == os.environ["PATH"]
    assert "mmap_threshold" in found["GLIBC_TUNABLES"]

"""What belongs to a bisection that was begun, and what keeps a candidate in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from opperf.cli.bisect_request import refuse_another
from opperf.commits.bisection import environments
from opperf.commits.bisection.environments import UnbuildableError, VersionEnvironments
from opperf.commits.bisection.state import Candidate, begin
from opperf.commits.building.room import NoRoomError
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_step_belongs_to_the_bisection_that_was_begun(tmp_path: Path, make_request: Any) -> None:
    """Sessions of other commits or operators say nothing of the one that is asked for."""
    selection = {"text": "name=Add", "sizes": ("small",)}
    begin(tmp_path, replace(make_request(4), selection={**selection, "memory_limit": 4}))
    own = replace(make_request(4, most=30), selection={**selection, "memory_limit": 5})
    refuse_another(tmp_path, replace(own, limits={"timeout": 9.0}))
    for other, words in (
        (replace(own, candidates=own.candidates[:-1]), "other commits"),
        (replace(own, quest={**own.quest, "min_effect": 0.05}), "another change"),
        (replace(own, selection={**selection, "text": "name=Dot"}), "something else"),
        (replace(own, script="/build.sh"), "built in another way"),
    ):
        with pytest.raises(UsageError, match=f"{words}.*: give another --state"):
            refuse_another(tmp_path, other)


def test_a_version_is_not_left_out_for_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For whatever else it cannot be installed, it is."""
    said = ["OSError: [Errno 28] No space left on device", "no matching distribution"]

    def fail(*_: object) -> str:
        raise UsageError(said.pop(0))

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(environments, "provide", fail)
    made = VersionEnvironments("tiny", print)
    with pytest.raises(NoRoomError, match="No space left"):
        made.python_of(Candidate(name="1.0"))
    with pytest.raises(UnbuildableError, match="no matching distribution"):
        made.python_of(Candidate(name="1.0"))

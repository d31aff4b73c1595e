"""What belongs to a bisection that was begun, and what keeps a candidate in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from opperf.cli import main
from opperf.cli.commits.bisect_request import refuse_another
from opperf.commits.bisection import environments
from opperf.commits.bisection.environments import UnbuildableError, VersionEnvironments
from opperf.commits.bisection.state import Candidate, begin
from opperf.commits.building.room import NoRoomError
from opperf.core.errors import UsageError
from tests.comparing.arms.wheels import wheel
from tests.conftest import told

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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--framework", "nump"], "unknown framework 'nump'; did you mean 'numpy'?"),
        (["--size", "huge"], "unknown size 'huge'; allowed: all, large"),
        (["--dtype", "flaot32"], "unknown dtype 'flaot32'; did you mean 'float32'?"),
        (["--input", "data"], "--input 'data': must be NAME=VALUE"),
        (["--build-script", "nowhere.sh"], "nowhere.sh: there is no such file"),
        (["--confidence", "nan"], "--confidence nan: must be from 0.5 to 0.9999"),
    ],
)
def test_a_wrong_request_is_one_line(
    source: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], said: str
) -> None:
    """Before a commit is built, which may take hours."""
    good, bad = source.commit(), source.commit()
    state = tmp_path / "state"
    own = ["--repo", str(source.path), "--state", str(state), "--framework", "numpy", "--wait"]
    assert main(["bisect", good, bad, "-k", "name=Squash", *own, *words]) == 2
    (line,) = told(capsys.readouterr().err)
    assert said in line
    assert not state.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-k", "name=Adds"], "unknown operator 'Adds'; did you mean 'Add'?"),
        (["-k", "name=Add", "--framework", "nump"], "unknown framework 'nump'; did you mean"),
        (["-k", "name=Add and framework=pytorch"], "nothing matches "),
    ],
)
def test_what_no_version_can_have_is_told_before_one_is_installed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    """Versions bring no operators and no frameworks: those of this installation are all."""
    for version in ("1.0", "1.1"):
        wheel(tmp_path / "wheels", version)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("OPPERF_FRAMEWORK", "numpy")
    state = tmp_path / "state"
    own = ["bisect", "1.0", "1.1", "--versions", "tiny", "--state", str(state), "--wait"]
    assert main([*own, *words]) == 2
    (line,) = told(capsys.readouterr().err)
    assert said in line
    assert not state.exists()
    assert not (tmp_path / "cache" / "opperf" / "venvs").exists()


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

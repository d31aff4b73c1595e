"""`opperf follow`: each commit once, in order, whatever becomes of the branch and the driver."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from opperf.cli import main
from opperf.commits.following import driver
from opperf.commits.following.comparison import BuildComparison
from opperf.commits.following.event import SCHEMA
from opperf.commits.following.journal import NAME
from tests.commits.conftest import DAY, NOON, SLOW, TWICE, UNDECIDED, Source
from tests.conftest import PATIENCE, told

if TYPE_CHECKING:
    from collections.abc import Sequence

MEASURING = (
    "--framework", "numpy", "-k", "Twice", "--size", "small", "--sessions", "1",
    "--most-sessions", "1",
)  # fmt: skip


@dataclass
class Followed:
    """A repository that is followed, and what the driver has kept."""

    source: Source
    frameworks: Path
    folder: Path

    def words(self, *more: str, measuring: Sequence[str] = MEASURING) -> list[str]:
        """Return the command."""
        own = ["--exec_dir", str(self.folder), "--frameworks_dir", str(self.frameworks)]
        words = ["--framework", "tiny", *measuring[2:]]
        return ["follow", str(self.source.path), *own, *words, *more]

    def follow(self, *more: str, measuring: Sequence[str] = MEASURING) -> int:
        """Return the exit code of following the branch."""
        return main(self.words(*more, measuring=measuring))

    def events(self) -> list[dict[str, Any]]:
        """Return all that the journal holds."""
        (path,) = self.folder.glob(f"follow/*/{NAME}")
        return [json.loads(line) for line in path.read_text().splitlines()]

    def outcomes(self) -> list[dict[str, Any]]:
        """Return what came of each commit, in order."""
        return [event["outcome"] for event in self.events() if event["kind"] == "outcome"]

    def states(self) -> list[str]:
        """Return how each commit ended, in order."""
        return [outcome["state"] for outcome in self.outcomes()]

    def reported(self) -> list[str]:
        """Return the commits that were reported, in order."""
        return [event["commit"] for event in self.events() if event["kind"] == "reported"]


@pytest.fixture
def measured(
    source: Source, frameworks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Followed:
    """Return a repository to follow, whose operator is timed on NumPy."""
    monkeypatch.setenv("OPPERF_FRAMEWORK", "numpy")
    return Followed(source, frameworks, tmp_path / "exec")


@pytest.fixture
def followed(measured: Followed, monkeypatch: pytest.MonkeyPatch) -> Followed:
    """Return one of which nothing is timed: each comparison comes out undecided at once."""

    def compare(*_: object) -> BuildComparison:
        return BuildComparison([UNDECIDED], None, None)

    monkeypatch.setattr(driver, "compare_builds", compare)
    return measured


def test_three_commits_are_processed_once_and_in_order(
    measured: Followed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Row 46: a second run finds nothing to do, and builds nothing (row 47)."""
    made = [measured.source.commit(title=f"commit {number}") for number in range(3)]
    last = tmp_path / "last"
    assert measured.follow("--commit_file", str(last)) == 0
    assert measured.reported() == made
    assert measured.states() == ["first", "inconclusive", "inconclusive"]
    assert {outcome["control"] for outcome in measured.outcomes()} == {None, made[0]}
    assert last.read_text() == f"{made[2]}\n"
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [commit[:12] for commit in made]
    assert "(commit 1)" in lines[1]
    before = measured.events()
    assert measured.follow("--commit_file", str(last)) == 0
    assert measured.events() == before
    assert "building" not in capsys.readouterr().err
    later = measured.source.commit()
    assert measured.follow("--commit_file", str(last)) == 0
    assert measured.reported() == [*made, later]
    assert capsys.readouterr().err.count("opperf: building") == 1


def test_a_commit_that_is_slower_is_verified_and_then_regressed(
    measured: Followed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only what is slower again in fresh sessions counts; the exit code says so."""
    good, bad = measured.source.commit(), measured.source.commit(SLOW)
    measuring = [*MEASURING[:-1], "6"]
    tree = tmp_path / "tree"
    words = ["--quiet", "--local_reporter", str(tree), "--screen_reporter"]
    assert measured.follow(*words, measuring=measuring) == 10
    first, second = measured.outcomes()
    assert (first["state"], second["state"]) == ("first", "regressed")
    assert (second["commit"], second["control"]) == (bad, good)
    (worse,) = second["worse"]
    assert worse.startswith("Twice forward +")
    purposes = {
        json.loads(line)["purpose"]
        for line in (Path(second["run"]) / "results.jsonl").read_text().splitlines()
    }
    assert purposes == {"comparison", "control", "confirmation"}
    assert "regressed against" in capsys.readouterr().out
    metas = [json.loads(path.read_text()) for path in sorted(tree.glob(f"**/{bad}/*/meta.json"))]
    assert [(meta["net_name"], meta["run_type"]) for meta in metas] == [
        ("Twice", "benchmark"), ("Twice", "verify"), ("Twice", "regress"), ("commit", "regress"),
    ]  # fmt: skip
    assert {(meta["commit"], meta["control_commit"]) for meta in metas} == {(bad, good)}
    (records,) = tree.glob(f"cpu/numpy/Twice/delay/*/2026/11/23/{bad}/1/data.jsonl")
    assert {json.loads(line)["purpose"] for line in records.read_text().splitlines()} == {
        "confirmation"
    }


def test_a_commit_that_does_not_build_is_a_state_and_the_queue_goes_on(followed: Followed) -> None:
    """As is one that does not import; a control that does not build is replaced by the next."""
    broken, good = followed.source.commit("1 / 0\n"), followed.source.commit()
    worse, last = followed.source.commit("import nowhere_at_all\n"), followed.source.commit()
    assert followed.follow("--quiet") == 11
    assert followed.reported() == [broken, good, worse, last]
    assert followed.states() == ["unbuilt", "failed", "unbuilt", "inconclusive"]
    assert "ZeroDivisionError" in followed.outcomes()[0]["reason"]
    assert "nowhere_at_all" in followed.outcomes()[2]["reason"]
    assert "no control" in followed.outcomes()[1]["reason"]
    assert followed.outcomes()[3]["control"] == good


def test_a_commit_without_the_operator_is_a_state(measured: Followed) -> None:
    """Whoever asked for it is told, commit by commit; a filter that is none is refused at once."""
    measured.source.commit()
    measured.source.commit()
    none = ["--framework", "numpy", "-k", "name=Twice and size=large", *MEASURING[4:]]
    assert measured.follow("--quiet", measuring=none) == 0
    assert measured.states() == ["first", "nothing"]
    assert measured.follow("--quiet", "-k", "nmae=Twice") == 2


def test_the_status_file_ends_it_after_the_commit_in_hand(
    followed: Followed, tmp_path: Path
) -> None:
    """Row 46: "0" stops; another content does not; what is due then stays due."""
    made = [followed.source.commit() for _ in range(2)]
    status = tmp_path / "status"
    status.write_text("0\n")
    assert followed.follow("--quiet", "--status_file", str(status)) == 0
    assert not [event for event in followed.events() if event["kind"] == "reported"]
    status.write_text("1")
    command = [sys.executable, "-m", "opperf", *followed.words("--interval", "3600")]
    with subprocess.Popen(
        [*command, "--status-file", str(status)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for _ in made:
            assert process.stdout.readline()
        status.write_text("0")
        assert process.wait(PATIENCE) == 0
    assert followed.reported() == made


def test_rewritten_history_is_recognized(
    followed: Followed, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is new is due, and what was reported is not reported again."""
    made = [followed.source.commit() for _ in range(2)]
    assert followed.follow("--quiet") == 0
    followed.source.git("reset", "--quiet", "--hard", made[0])
    new = followed.source.commit(title="another")
    assert followed.follow() == 0
    assert f"branch main was rewritten: {made[1][:12]}" in capsys.readouterr().err
    assert followed.reported() == [*made, new]
    (event,) = [event for event in followed.events() if event["kind"] == "rewritten"]
    assert (event["commit"], event["tip"], event["common"]) == (made[1], new, made[0])


def test_what_git_has_removed_after_a_rewriting_is_no_end(
    followed: Followed, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither the newest commit that was seen is there any longer nor the one it began with."""
    made = followed.source.commit()
    assert followed.follow("--quiet") == 0
    followed.source.git("checkout", "--quiet", "--orphan", "other")
    new = followed.source.commit(title="from the start")
    followed.source.git("branch", "--quiet", "--force", "--move", "other", "main")
    followed.source.git("reflog", "expire", "--expire=now", "--all")
    followed.source.git("gc", "--quiet", "--prune=now")
    assert followed.source.repository.find(made) is None
    assert followed.follow() == 0
    assert f"branch main was rewritten: {made[:12]} is no longer in it" in capsys.readouterr().err
    assert followed.reported() == [made, new]


def test_a_merge_is_followed_as_one_commit_or_as_all(followed: Followed) -> None:
    """By first parents, unless --all-commits."""
    first = followed.source.commit()
    followed.source.git("checkout", "--quiet", "-b", "topic")
    topic = followed.source.commit()
    followed.source.git("checkout", "--quiet", "main")
    followed.source.git("merge", "--quiet", "--no-ff", "-m", "merge", "topic")
    merge = followed.source.git("rev-parse", "HEAD")
    assert followed.follow("--quiet") == 0
    assert followed.reported() == [first, merge]
    assert followed.follow("--quiet", "--all-commits") == 0
    assert followed.reported() == [first, merge, topic]


def test_a_branch_that_is_gone_is_recorded_and_what_was_seen_is_finished(
    followed: Followed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commits stay in the repository under a reference of opperf's own."""
    origin, status = followed.source, tmp_path / "status"
    origin.commit()
    last = origin.commit()
    origin.git("branch", "topic")
    copy = tmp_path / "copy"
    origin.git("clone", "--quiet", str(origin.path), str(copy))
    followed.source = Source(copy)
    status.write_text("0")
    words = ["--branch", "topic", "--commit", last, "--regression"]
    assert followed.follow("--quiet", *words, "--status_file", str(status)) == 0
    origin.git("branch", "--quiet", "-D", "topic")
    assert followed.follow(*words) == 2
    assert followed.reported() == [last]
    assert "remote origin has no branch topic; going on with" in capsys.readouterr().err
    assert [event["branch"] for event in followed.events() if event["kind"] == "gone"] == ["topic"]


def test_a_shallow_repository_is_refused_with_the_remedy(
    followed: Followed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first commit of the week may have been cut off; once it is there, all is well."""
    origin = followed.source
    made = [origin.commit() for _ in range(3)]
    cut = tmp_path / "cut"
    origin.git("clone", "--quiet", "--depth=2", origin.path.as_uri(), str(cut))
    followed.source = Source(cut)
    assert followed.follow("--quiet") == 2
    assert "fetch --unshallow" in capsys.readouterr().err
    assert followed.follow("--quiet", "--base_commit", made[1], "--commit", made[2]) == 0
    assert followed.reported() == [made[2]]
    assert followed.outcomes()[0]["control"] == made[1]


def test_two_drivers_at_once_are_refused(
    followed: Followed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second is told who the first is."""
    followed.source.commit()
    status = tmp_path / "status"
    command = [*followed.words("--interval", "3600"), "--status_file", str(status)]
    with subprocess.Popen(
        [sys.executable, "-m", "opperf", *command], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert followed.follow() == 2
        said = capsys.readouterr().err
        assert f"process {process.pid} of " in said
        assert "follows this branch already" in said
        status.write_text("0")
        assert process.wait(PATIENCE) == 0


def test_a_full_disk_leaves_the_commit_due(
    followed: Followed, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is no state of the commit, which is built once there is room."""
    made = followed.source.commit(f"VALUE = {'9' * 300_000!r}\n{TWICE}", title="large")
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, -1)); "
        "from opperf.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, *followed.words()], capture_output=True, text=True, check=False
    )
    assert found.returncode == 2
    assert "the disk is full; free space" in found.stderr
    assert followed.outcomes() == []
    assert followed.follow("--quiet") == 0
    assert followed.reported() == [made]
    capsys.readouterr()


def test_a_commit_file_that_cannot_be_written_loses_nothing(
    followed: Followed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commit is reported once; its hash is kept as soon as there is room."""
    made, last = followed.source.commit(), tmp_path / "last"
    (tmp_path / ".last.tmp").mkdir()
    assert followed.follow("--quiet", "--commit_file", str(last)) == 2
    assert f"cannot write {last}: " in capsys.readouterr().err
    (tmp_path / ".last.tmp").rmdir()
    assert followed.follow("--quiet", "--commit_file", str(last)) == 0
    assert (followed.reported(), last.read_text()) == ([made], f"{made}\n")
    last.write_bytes(bytes(40))
    assert followed.follow("--quiet", "--commit_file", str(last)) == 0
    assert "is no hash, branch or tag; it is left out" in capsys.readouterr().err
    assert followed.reported() == [made]


def test_one_commit_is_all_that_is_asked_for(followed: Followed) -> None:
    """--commit alone is one commit; with --regression it is the first of all."""
    made = [followed.source.commit() for _ in range(3)]
    assert followed.follow("--quiet", "--commit", made[1]) == 0
    assert followed.reported() == [made[1]]
    assert followed.follow("--quiet", "--commit", made[1], "--regression") == 0
    assert followed.reported() == made[1:]


def test_the_control_is_the_first_commit_after_monday(followed: Followed) -> None:
    """Row 47: 00:00 UTC, whatever the committer's time zone; the week before is not due."""
    monday = NOON - NOON % DAY
    followed.source.commit(time=monday - 1)
    first, second = (followed.source.commit(time=monday + DAY * at) for at in (0, 1))
    assert followed.follow("--quiet") == 0
    assert followed.reported() == [first, second]
    assert followed.outcomes()[1]["control"] == first
    assert followed.states()[0] != "first"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--repo", "hg"], "--repo hg: git is the only one"),
        (["--branch", "nowhere"], "unknown branch 'nowhere'"),
        (["--remote_repository", "upstream"], "unknown remote repository 'upstream'"),
        (["--commit", "f" * 40], "has no commit"),
        (["--base-commit", "nothing"], "has no commit"),
        (["--interval", "0"], "--interval: expected a time above 0"),
        (["--platforms", "../cpu"], "is no name of a platform"),
        (["--platforms", "phone"], "there is no"),
        (["--repo_dir", "."], "both are given"),
        (["--trust-model"], "--trust_model needs --benchmark_file"),
        (["--benchmark_file", "twice.json"], "-k: is of operators; leave it out"),
        (["--sessions", "0"], "--sessions 0: must be from 1 to 1000"),
        (["--most-sessions", "-3"], "--most-sessions -3: must be from 1 to 1000"),
        (["--threads", "99999"], "--threads 99999: "),
        (["--budget", "soon"], "expected a time above 0"),
        (["--min-effect", "-1"], "--min-effect"),
        (["--size", "huge"], "unknown size 'huge'; allowed: all, large"),
        (["--dtype", "flaot32"], "unknown dtype 'flaot32'; did you mean 'float32'?"),
        (["--input", "data"], "data"),
        (["--commit_file", "nowhere/last"], "nowhere/last: its folder is not there; make it"),
    ],
)
def test_what_is_wrong_is_one_line(
    followed: Followed, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    """With exit code 2, before anything is built."""
    followed.source.commit()
    if "phone" in words:
        (followed.frameworks / "tiny" / "cpu").rename(followed.frameworks / "elsewhere")
    assert followed.follow(*words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(told(error)) == 1
    assert not [*followed.folder.glob("builds/*/build.json")]


def test_a_torn_line_is_cut_off_and_a_damaged_one_is_named(
    followed: Followed, capsys: pytest.CaptureFixture[str]
) -> None:
    """A kill tears the last line only."""
    made = [followed.source.commit() for _ in range(2)]
    assert followed.follow("--quiet") == 0
    (path,) = followed.folder.glob(f"follow/*/{NAME}")
    whole = path.read_bytes()
    for torn in (b'{"schema":"opperf.fol', b'{"schema":"opperf.follow/1","kind":"reported"}'):
        path.write_bytes(whole + torn)
        assert followed.follow("--quiet") == 0
        assert path.read_bytes() == whole
    capsys.readouterr()
    event = {"schema": SCHEMA, "kind": "start", "commit": made[0], "included": True}
    (outcome, _) = followed.outcomes()
    for wrong in (
        [], {}, {"schema": 1}, {"schema": SCHEMA, "kind": "tip"}, {**event, "commit": None},
        {**event, "included": "yes"}, {**event, "kind": ["start"]},
        {"schema": SCHEMA, "kind": "outcome", "outcome": {**outcome, "commit_time": "noon"}},
        {"schema": SCHEMA, "kind": "outcome", "outcome": {**outcome, "rows": [1]}},
    ):  # fmt: skip
        path.write_bytes(json.dumps(wrong).encode() + b"\n" + whole)
        assert followed.follow("--quiet") == 2
        assert f"{NAME} line 1: " in capsys.readouterr().err
    path.write_bytes(whole)
    assert followed.reported() == made


def test_a_report_that_cannot_be_made_is_made_later(
    followed: Followed, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was found is kept meanwhile, and is not measured again."""
    (made,) = (followed.source.commit() for _ in range(1))
    tree = tmp_path / "tree"
    assert (
        followed.follow(
            "--quiet", "--local_reporter", str(tmp_path / "frameworks/tiny/cpu/build.sh")
        )
        == 2
    )
    assert "it is no folder" in capsys.readouterr().err
    tree.mkdir()
    (tree / "cpu").touch()
    assert followed.follow("--quiet", "--local_reporter", str(tree)) == 2
    assert f"commit {made[:12]} is not reported yet" in capsys.readouterr().err
    assert (len(followed.outcomes()), followed.reported()) == (1, [])
    (tree / "cpu").unlink()
    assert followed.follow("--quiet", "--local_reporter", str(tree)) == 0
    assert (len(followed.outcomes()), followed.reported()) == (1, [made])
    assert len([*tree.glob(f"**/{made}/*/meta.json")]) == 1


OPTIONS = (
    "base_commit", "branch", "commit", "commit_file", "exec_dir", "framework", "frameworks_dir",
    "interval", "platforms", "regression", "remote_repository", "repo", "repo_dir", "same_host",
    "status_file",
)  # fmt: skip
"""Those of repo_driver.py, as the platform's document lists them."""
PASSED_ON = (
    "backend", "benchmark_file", "devices", "excluded_devices", "local_reporter", "model_cache",
    "remote_access_token", "remote_reporter", "root_model_dir", "screen_reporter", "shared_libs",
    "timeout",
)  # fmt: skip
"""Those of harness.py that it has for each commit; of the others docs/follow.md says why not."""


def test_every_option_of_repo_driver_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    """In its own spelling and in that of opperf."""
    with pytest.raises(SystemExit):
        main(["follow", "--help"])
    flags = {*re.findall(r"--[\w-]+", capsys.readouterr().out)}
    for name in (*OPTIONS, *PASSED_ON):
        assert {f"--{name}", f"--{name.replace('_', '-')}"} <= flags


FACTORY = """\
def pytorch():
    import torch

    class Twice(torch.nn.Module):
        def forward(self, data):
            for _ in range({calls}):
                found = data + data
            return found

    return Twice()
"""


def test_the_tests_of_a_specification_are_followed(
    measured: Followed,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`--benchmark_file`: the model is that of each commit; reports are of its tests."""
    monkeypatch.setenv("OPPERF_FRAMEWORK", "pytorch")
    good = measured.source.commit(FACTORY.format(calls=1))
    bad = measured.source.commit(FACTORY.format(calls=40))
    specification = tmp_path / "twice.json"
    model = {
        "name": "twice",
        "format": "python",
        "commands": {"pytorch": {"factory": "tiny:pytorch"}},
    }
    inputs = {"data": {"shapes": [[256]], "type": "float"}}
    tests = [{"identifier": "{name}-{ID}", "metric": "delay", "inputs": inputs}]
    words = ["--benchmark_file", str(specification)]
    assert measured.follow(*words, measuring=["", ""]) == 2
    assert "twice.json" in capsys.readouterr().err
    specification.write_text(json.dumps({"model": model, "tests": tests}))
    tree = tmp_path / "tree"
    words += ["--trust-model", "--local_reporter", str(tree)]
    assert measured.follow("--quiet", *words, measuring=["", "", *MEASURING[6:]]) == 0
    first, second = measured.outcomes()
    assert (first["state"], second["commit"], second["control"]) == ("first", bad, good)
    (row,) = (row for row in second["rows"] if not row["control"])
    assert row["operator"] == "twice"
    assert row["ratio"] > 4
    (place,) = tree.glob(f"cpu/pytorch/twice/delay/*/*/*/*/{bad}/0")
    records = [json.loads(line) for line in (place / "data.jsonl").read_text().splitlines()]
    assert {record["attributes"]["identifier"] for record in records} == {"twice-0"}

"""Builds: once for each commit and recipe, never half-made, and kept where they fail."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from opperf.commits.building.build import FACTS, environment_in
from opperf.commits.building.builder import Builder
from opperf.commits.building.recipe import Recipe, recipe_of
from opperf.commits.building.room import NoRoomError
from opperf.commits.repository.git_repository import RemoteError
from opperf.core.errors import UsageError
from opperf.core.machine.lock import measuring_alone
from tests.commits.conftest import TWICE, Source
from tests.conftest import PATIENCE

if TYPE_CHECKING:
    from opperf.commits.building.build import Build

SCRIPT = """\
set -e
cp "$1/tiny.py" "$2"
echo "of $OPPERF_COMMIT" >> "$2"
"$OPPERF_PYTHON" -c "import numpy"
"""


@dataclass
class Told:
    """A builder and what it has told."""

    builder: Builder
    lines: list[str] = field(default_factory=list)

    @property
    def built(self) -> int:
        """How many builds it has begun."""
        return sum(line.startswith("building ") for line in self.lines)


def builder_of(source: Source, folder: Path, recipe: Recipe | None = None) -> Told:
    """Return a builder of a source's commits."""
    lines: list[str] = []
    return Told(Builder(source.repository, folder, recipe or Recipe(), lines.append), lines)


def value_in(python: str) -> str:
    """Return what the module of a build says, and where it lies."""
    code = "import tiny, numpy, opperf; print(tiny.VALUE)"
    return subprocess.check_output([python, "-c", code], cwd="/", text=True).strip()


def copying(folder: Path) -> Recipe:
    """Return a recipe whose program is the module as it was checked out."""
    (folder / "build.sh").write_text(SCRIPT)
    return Recipe(script=folder / "build.sh")


def value_built(build: Build) -> str:
    """Return the first line of the program of a build."""
    assert build.program, build.reason
    return Path(build.program).read_text().splitlines()[0]


def test_a_commit_is_built_once(source: Source, tmp_path: Path) -> None:
    """Each has its own code, and the packages of this python beside it."""
    first, second = (source.commit(f"VALUE = {number}\n{TWICE}") for number in (1, 2))
    told = builder_of(source, tmp_path / "builds")
    commits = [source.repository.commit(name) for name in (first, second)]
    builds = [told.builder.provide(commit) for commit in commits]
    assert [value_in(build.python) for build in builds] == ["1", "2"]
    assert builds[0].packages == ("tiny==1.0",)
    assert told.built == 2
    again = builder_of(source, tmp_path / "builds")
    assert [again.builder.provide(commit) for commit in commits] == builds
    assert again.lines == []


def test_a_commit_that_does_not_build_or_import_is_kept_as_that(
    source: Source, tmp_path: Path
) -> None:
    """With the end of its log, and not tried again unless that is asked for."""
    backend = source.path / "backend.py"
    whole = backend.read_text()
    backend.write_text("raise RuntimeError('cannot be built here')\n")
    unbuilt = source.commit("VALUE = 1\n")
    backend.write_text(whole)
    unloaded = source.commit("import nowhere_at_all\n")
    told = builder_of(source, tmp_path / "builds")
    repository = source.repository
    one, other = (told.builder.provide(repository.commit(name)) for name in (unbuilt, unloaded))
    assert not one.works
    assert "cannot be built here" in str(one.reason)
    assert "cannot be built here" in one.log_end()
    assert not other.works
    assert "importing failed" in str(other.reason)
    assert "nowhere_at_all" in str(other.reason)
    assert told.built == 2
    assert not told.builder.provide(repository.commit(unbuilt)).works
    assert told.built == 2
    assert not told.builder.provide(repository.commit(unbuilt), again=True).works
    assert told.built == 3


def test_what_a_partial_clone_lacks_is_fetched(source: Source, tmp_path: Path) -> None:
    """While it cannot be, no commit is blamed and nothing kept."""
    first, _ = (source.commit(f"VALUE = {number}\n{TWICE}") for number in (1, 2))
    for name in ("allowFilter", "allowAnySHA1InWant"):
        source.git("config", f"uploadpack.{name}", "true")
    partial, moved = Source(tmp_path / "partial"), tmp_path / "moved"
    source.git("clone", "--quiet", "--filter=blob:none", source.path.as_uri(), str(partial.path))
    partial.git("remote", "rename", "origin", "upstream")
    told = builder_of(partial, tmp_path / "builds", copying(tmp_path))
    commit = partial.repository.commit(first)
    source.path.rename(moved)
    with pytest.raises(RemoteError, match="cannot be fetched as a whole"):
        told.builder.provide(commit)
    assert not told.builder.path_of(commit).exists()
    moved.rename(source.path)
    assert value_built(told.builder.provide(commit)) == "VALUE = 1"


def test_nothing_is_built_of_half_a_source(source: Source, tmp_path: Path) -> None:
    """Git ends with 0 where the object of a file is lost; the commit is not to blame."""
    made = source.commit("VALUE = 1\n")
    blob = source.git("rev-parse", "HEAD:tiny.py")
    lost = source.path / ".git" / "objects" / blob[:2] / blob[2:]
    content = lost.read_bytes()
    lost.unlink()
    told = builder_of(source, tmp_path / "builds", copying(tmp_path))
    commit = source.repository.commit(made)
    with pytest.raises(RemoteError, match=r"has lost its tiny\.py; get it again"):
        told.builder.provide(commit)
    assert not told.builder.path_of(commit).exists()
    lost.write_bytes(content)
    assert value_built(told.builder.provide(commit)) == "VALUE = 1"


def test_a_repository_of_longer_hashes_is_built(tmp_path: Path) -> None:
    """SHA-256 instead of SHA-1."""
    folder = tmp_path / "long"
    folder.mkdir()
    source = Source(folder)
    source.git("init", "--quiet", "--object-format=sha256", "--initial-branch=main")
    made = source.commit()
    told = builder_of(source, tmp_path / "builds", copying(tmp_path))
    build = told.builder.provide(source.repository.commit(made))
    assert (len(made), value_built(build)) == (64, f"VALUE = {source.time}")


def test_two_at_once_build_it_once(source: Source, frameworks: Path, tmp_path: Path) -> None:
    """The second waits and takes what the first has made."""
    commit = source.repository.commit(source.commit())
    told = builder_of(source, tmp_path / "builds", recipe_of(frameworks, "tiny", "cpu"))
    pythons: list[str] = []
    threads = [
        threading.Thread(target=lambda: pythons.append(told.builder.provide(commit).python))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(pythons)) == 1
    assert told.built == 1


def test_a_script_builds_with_the_arguments_of_repo_driver(source: Source, tmp_path: Path) -> None:
    """`sh build.sh REPO_DIR PROGRAM`, with the commit and its python in variables."""
    commit = source.repository.commit(source.commit("VALUE = 1\n"))
    folder = tmp_path / "frameworks" / "caffe2"
    (folder / "host").mkdir(parents=True)
    (folder / "host" / "build.sh").write_text(SCRIPT)
    recipe = recipe_of(tmp_path / "frameworks", "caffe2", "host")
    build = builder_of(source, tmp_path / "builds", recipe).builder.provide(commit)
    assert build.works, build.reason
    assert build.program is not None
    assert Path(build.program).name == "caffe2_benchmark"
    assert Path(build.program).read_text() == f"VALUE = 1\nof {commit.hash}\n"
    with pytest.raises(UsageError, match=r"there is no .*caffe2/phone/build.sh; write one"):
        recipe_of(tmp_path / "frameworks", "caffe2", "phone")
    with pytest.raises(UsageError, match="is no folder's name"):
        recipe_of(tmp_path / "frameworks", "caffe2", "..")
    (folder / "build.sh").write_text(SCRIPT)
    assert recipe_of(tmp_path / "frameworks", "caffe2", "phone").identity == recipe.identity
    (folder / "build.sh").write_text("true\n")
    idle = recipe_of(tmp_path / "frameworks", "caffe2", "phone")
    assert idle.identity != recipe.identity
    failed = builder_of(source, tmp_path / "builds", idle).builder.provide(commit)
    assert "installed no package and made no program" in str(failed.reason)


def test_a_build_gets_no_secrets_and_the_pip_of_its_environment(
    source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit is anybody's code, and is installed nowhere else."""
    monkeypatch.setenv("UPLOAD_TOKEN", "hidden")
    monkeypatch.setenv("PIP_TARGET", str(tmp_path / "elsewhere"))
    (tmp_path / "any").mkdir()
    (tmp_path / "any" / "build.sh").write_text('env > "$2"; command -v pip >> "$2"\n')
    recipe = recipe_of(tmp_path, "any", "cpu")
    commit = source.repository.commit(source.commit())
    build = builder_of(source, tmp_path / "builds", recipe).builder.provide(commit)
    said = Path(str(build.program)).read_text()
    assert "hidden" not in said
    assert "elsewhere" not in said
    assert str(environment_in(Path(build.path)) / "bin" / "pip") in said.splitlines()
    assert f"OPPERF_COMMIT={commit.hash}" in said


def test_a_full_disk_is_no_fault_of_the_commit(
    source: Source, frameworks: Path, tmp_path: Path
) -> None:
    """Nothing is kept of it, so that the commit is built once there is room."""
    big = f"VALUE = {'9' * 300_000!r}\n"
    commit = source.repository.commit(source.commit(big + TWICE, title="large"))
    told = builder_of(source, tmp_path / "builds", recipe_of(frameworks, "tiny", "cpu"))
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, most))
    try:
        with pytest.raises(NoRoomError, match="the disk is full; free space"):
            told.builder.provide(commit)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        signal.signal(signal.SIGXFSZ, ignored)
    assert told.builder.find(commit) is None
    assert [path for path in (tmp_path / "builds").iterdir() if path.is_dir()] == []
    assert told.builder.provide(commit).works


def test_a_disk_that_was_full_is_known_by_what_was_said(source: Source, tmp_path: Path) -> None:
    """An installer that has failed frees what it had written: there is room again by then."""
    (tmp_path / "any").mkdir()
    (tmp_path / "any" / "build.sh").write_text("echo cp: No space left on device >&2; exit 1\n")
    commit = source.repository.commit(source.commit())
    told = builder_of(source, tmp_path / "builds", recipe_of(tmp_path, "any", "cpu"))
    with pytest.raises(NoRoomError, match="the disk is full; free space"):
        told.builder.provide(commit)
    assert told.builder.find(commit) is None


def test_what_a_kill_has_left_is_never_used(source: Source, tmp_path: Path) -> None:
    """A build that was killed in the middle is made anew, and what it had started has ended."""
    commit = source.repository.commit(source.commit("VALUE = 1\n"))
    folder, started = tmp_path / "builds", tmp_path / "started"
    (tmp_path / "any").mkdir()
    script = tmp_path / "any" / "build.sh"
    script.write_text(f'cp "$1/tiny.py" "$2"; echo $$ > {started}.new; mv {started}.new {started}; '
                      f'test -e {tmp_path}/go || sleep 600\n')  # fmt: skip
    recipe = recipe_of(tmp_path, "any", "cpu")
    code = (
        "import sys; from pathlib import Path\n"
        "from opperf.commits.building.builder import Builder\n"
        "from opperf.commits.building.recipe import recipe_of\n"
        "from opperf.commits.repository.git_repository import GitRepository\n"
        "source, folder, scripts = map(Path, sys.argv[1:])\n"
        "repository = GitRepository.open(source)\n"
        "builder = Builder(repository, folder, recipe_of(scripts, 'any', 'cpu'))\n"
        "builder.provide(repository.commit('main'))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(source.path), str(folder), str(tmp_path)],
        stdout=subprocess.DEVNULL,
    ) as process:
        while not started.exists():
            assert process.poll() is None
        process.kill()
    with suppress(psutil.NoSuchProcess):
        psutil.Process(int(started.read_text())).wait(PATIENCE)
    told = builder_of(source, folder, recipe)
    path = told.builder.path_of(commit)
    assert environment_in(path).exists()
    assert not (path / FACTS).exists()
    assert told.builder.find(commit) is None
    (tmp_path / "go").touch()
    assert told.builder.provide(commit).works
    assert told.built == 1


def test_nothing_is_built_while_another_measures(
    source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --same_host; without, nobody waits."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "any").mkdir()
    (tmp_path / "any" / "build.sh").write_text('touch "$2"\n')
    recipe = recipe_of(tmp_path, "any", "cpu")
    commit = source.repository.commit(source.commit())
    builder = Builder(source.repository, tmp_path / "builds", recipe, lambda _: None, alone=True)
    works: list[bool] = []
    thread = threading.Thread(target=lambda: works.append(builder.provide(commit).works))
    with measuring_alone(wait=False):
        thread.start()
        thread.join(0.5)
        assert thread.is_alive()
        assert works == []
        # Whoever measures may build as well, as a bisection does: the one that waits holds no lock.
        assert replace(builder, alone=False).provide(commit).works
        assert works == []
    thread.join()
    assert works == [True]


def test_damaged_facts_are_no_build(source: Source, frameworks: Path, tmp_path: Path) -> None:
    """It is built again."""
    commit = source.repository.commit(source.commit())
    told = builder_of(source, tmp_path / "builds", recipe_of(frameworks, "tiny", "cpu"))
    build = told.builder.provide(commit)
    for text in ("", "{", "[]", '{"state": "built"}', '{"packages": 7}'):
        (Path(build.path) / FACTS).write_text(text)
        assert told.builder.find(commit) is None

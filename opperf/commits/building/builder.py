"""Building commits: each once, in an environment of its own, and kept by commit and recipe.

A build's folder is complete when its facts lie in it, which are written last: what a kill or a full
disk has left is made anew. Environments are made where they stay, for they hold their own path.
"""

from __future__ import annotations

import os
import shutil
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from subprocess import TimeoutExpired
from time import monotonic
from typing import TYPE_CHECKING

from opperf.commits.building.build import BUILT, FAILED, LOG, Build, environment_in, kept_build
from opperf.commits.building.recipe import Recipe
from opperf.commits.building.room import NoRoomError, is_full
from opperf.commits.building.sharing import installed_in, make_shared, modules_of
from opperf.commits.building.source import check_out_source
from opperf.commits.building.variables import commit_variables
from opperf.commits.repository.git_repository import RemoteError
from opperf.comparing.arms.installer import run_guarded, telling
from opperf.comparing.arms.venv import hold_lock
from opperf.core.environment.folders import user_cache
from opperf.core.errors import UsageError, quote_path
from opperf.core.machine.lock import measuring_alone
from opperf.core.results.identity import digest
from opperf.fetching.git import GitError
from opperf.fetching.places import FULL, remove_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from importlib.metadata import Distribution
    from pathlib import Path

    from opperf.commits.repository.commit import Commit
    from opperf.commits.repository.git_repository import GitRepository

PIP = ("-m", "pip", "--disable-pip-version-check", "--no-input", "install")
ENSURE_PIP = ("-m", "ensurepip", "--default-pip")
IMPORT = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
TEMPORARY = "temporary"
"""What installers leave when they are killed lies in the build's own folder, and goes with it."""
REMEDY = "free space, or give another --exec_dir; the commit is built again then"


def builds_folder() -> Path:
    """Return where builds are kept unless another folder is named."""
    return user_cache("builds")


@dataclass(frozen=True)
class Builder:
    """What builds the commits of a repository.

    Args:
        repository: whose commits they are.
        folder: where builds are kept.
        recipe: how they are built.
        tell: is told what takes its time.
        alone: whether nothing is measured on this machine while something is built.
    """

    repository: GitRepository
    folder: Path = field(default_factory=builds_folder)
    recipe: Recipe = field(default_factory=Recipe)
    tell: Callable[[str], None] = print
    alone: bool = False

    def path_of(self, commit: Commit) -> Path:
        """Return the folder of a commit's build: the same for the same commit and recipe."""
        return self.folder / f"{commit.short}-{digest([commit.hash, self.recipe.identity])}"

    def find(self, commit: Commit) -> Build | None:
        """Return what came of building a commit, None where it was not built yet."""
        return kept_build(self.path_of(commit))

    def usable(self, commit: Commit, *, again: bool) -> Build | None:
        """Return the build that there is; None where there is none, or one to be tried `again`."""
        found = self.find(commit)
        return found if found and (found.works or not again) else None

    def provide(self, commit: Commit, *, again: bool = False) -> Build:
        """Return the build of a commit, which is made where it is not there yet.

        Args:
            commit: which.
            again: whether one that failed is tried once more.

        Raises:
            NoRoomError: the disk is full; nothing of the build is kept.
            RemoteError: files of the commit cannot be fetched now; likewise.
            UsageError: the folder cannot be written.
        """
        path = self.path_of(commit)
        if kept := self.usable(commit, again=again):
            return kept
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            # The machine's lock comes first, as in a bisection, which builds while it holds it.
            with (
                measuring_alone(wait=True) if self.alone else nullcontext(),
                hold_lock(
                    self.folder / f"{path.name}.lock",
                    lambda: self.tell(f"another process builds {commit}: waiting for it"),
                ),
            ):
                return self.usable(commit, again=again) or self.build(commit, path)
        except OSError as error:
            what = f"cannot build commit {commit} in {quote_path(self.folder)}: {error.strerror}"
            if error.errno in FULL:
                raise NoRoomError(f"{what}; {REMEDY}") from error
            raise UsageError(f"{what}; give another --exec_dir") from error

    def build(self, commit: Commit, path: Path) -> Build:
        """Build a commit and keep what came of it; whatever was there is incomplete and goes first.

        Raises:
            NoRoomError: the disk is full.
        """
        self.tell(f"building {commit}: {self.recipe.words}")
        remove_tree(path)
        path.mkdir()
        began = monotonic()
        try:
            made = self.make(commit, path)
        except BaseException:
            remove_tree(path)
            raise
        made = replace(made, seconds=round(monotonic() - began, 3))
        made.keep()
        self.tell(f"{made.state} {commit}, {made.seconds:.0f} s")
        return made

    def make(self, commit: Commit, path: Path) -> Build:
        """Return what comes of building a commit in a folder.

        Raises:
            NoRoomError: the disk is full.
        """
        source = path / "source"
        program = path / "program" / self.recipe.program
        steps = self.steps(source, program)
        build = Build(commit=commit.hash, path=str(path), state=BUILT)
        try:
            check_out_source(self.repository, commit, source)
            make_shared(self.recipe.python, environment_in(path))
            program.parent.mkdir()
            (path / TEMPORARY).mkdir()
            for step in steps:
                self.carry_out(step, commit, path)
            found = made_by(environment_in(path), program)
            self.check_imports(modules_of(found, source), commit, path)
        except (NoRoomError, RemoteError):
            raise
        except (FailedStepError, GitError, UsageError, TimeoutExpired) as error:
            if is_full(str(error), path):
                raise NoRoomError(f"commit {commit}: the disk is full; {REMEDY}") from error
            shutil.rmtree(environment_in(path), ignore_errors=True)
            remove_tree(source)
            return replace(build, state=FAILED, reason=str(error))
        finally:
            remove_tree(path / TEMPORARY)
        if self.recipe.script is None:
            remove_tree(source)
        packages = tuple(sorted(f"{each.name}=={each.version}" for each in found))
        made = str(program) if program.exists() else None
        return replace(build, packages=packages, program=made)

    def steps(self, source: Path, program: Path) -> list[list[str]]:
        """Return the commands that build a source tree."""
        python = str(environment_in(source.parent) / "bin" / "python")
        if self.recipe.script is not None:
            return [["sh", str(self.recipe.script), str(source), str(program)]]
        status, _, _ = run_guarded([self.recipe.python, "-I", "-c", "import pip"])
        pip = [[python, *ENSURE_PIP]] if status else []
        return [*pip, [python, *PIP, str(source)]]

    def check_imports(self, modules: Sequence[str], commit: Commit, path: Path) -> None:
        """Refuse a build whose own modules cannot be imported.

        Raises:
            FailedStepError: says which error that was.
        """
        if modules:
            python = str(environment_in(path) / "bin" / "python")
            self.carry_out([python, "-c", IMPORT, *modules], commit, path, "importing")

    def carry_out(
        self, command: Sequence[str], commit: Commit, path: Path, what: str = "building"
    ) -> None:
        """Run one command of a build, and keep what it says.

        Raises:
            FailedStepError: it failed; says what it said last.
            NoRoomError: the disk is full.
        """
        status, out, err = run_guarded(command, path, variables_of(commit, path))
        with (path / LOG).open("a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(command)}\n{out}{err}")
        if status and is_full(out + err, path):
            raise NoRoomError(f"commit {commit}: the disk is full; {REMEDY}")
        if status:
            ended = f"exit status {status}" if status > 0 else f"killed by signal {-status}"
            raise FailedStepError(f"{what} failed, {ended}: {telling(err or out)}")


class FailedStepError(Exception):
    """A step of a build that failed, by what it said last."""


def made_by(environment: Path, program: Path) -> list[Distribution]:
    """Return the distributions that a build has installed.

    Raises:
        FailedStepError: it has installed none, and made no program.
    """
    found = installed_in(environment)
    if not found and not program.exists():
        raise FailedStepError("it installed no package and made no program")
    return found


def variables_of(commit: Commit, path: Path) -> Mapping[str, str]:
    """Return the variables of what builds a commit: no secrets, and its environment activated."""
    environment = environment_in(path)
    kept = commit_variables()
    return {
        **kept,
        "VIRTUAL_ENV": str(environment),
        "PATH": os.pathsep.join([str(environment / "bin"), kept.get("PATH", os.defpath)]),
        "OPPERF_PYTHON": str(environment / "bin" / "python"),
        "OPPERF_COMMIT": commit.hash,
        "TMPDIR": str(path / TEMPORARY),
    }

"""The interpreters that candidates are measured by: builds of commits, or installed versions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from opperf.commits.building.builder import Builder
from opperf.commits.building.recipe import Recipe
from opperf.commits.building.room import NoRoomError, is_full
from opperf.commits.repository.commit import Commit
from opperf.commits.repository.git_repository import GitRepository
from opperf.comparing.arms.arm import parse_arm
from opperf.comparing.arms.venv import cache_folder, provide
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from opperf.commits.bisection.state import BisectionRequest, Candidate

COMMITS, VERSIONS = "commits", "versions"


class UnbuildableError(Exception):
    """A candidate that has no environment; says why."""


class Environments(Protocol):
    """What gives a candidate's interpreter, made where it is not there yet."""

    declares_operators: bool
    """Whether operators may be declared by the candidates' own package."""

    def python_of(self, candidate: Candidate) -> str:
        """Return the interpreter.

        Raises:
            UnbuildableError: it cannot be made, and will not the next time either.
            NoRoomError: the disk is full, which is no fault of the candidate.
        """
        ...


@dataclass(frozen=True)
class CommitEnvironments:
    """Builds of a repository's commits, each made once."""

    builder: Builder
    declares_operators = True

    def python_of(self, candidate: Candidate) -> str:
        """Return the interpreter of the commit's build."""
        build = self.builder.provide(Commit(candidate.name, candidate.time, candidate.title))
        if not build.works:
            raise UnbuildableError(build.reason or "the build failed")
        return build.python


@dataclass(frozen=True)
class VersionEnvironments:
    """Released versions of a project, each in a virtual environment of `opperf ab`."""

    project: str
    tell: Callable[[str], None]
    declares_operators = False

    def python_of(self, candidate: Candidate) -> str:
        """Return the interpreter that has the version installed."""
        arm = parse_arm(f"{self.project}=={candidate.name}")
        try:
            return provide(arm, cache_folder(), self.tell)
        except UsageError as error:
            if is_full(str(error), cache_folder()):
                raise NoRoomError(str(error)) from error
            raise UnbuildableError(str(error)) from error


def environments_of(request: BisectionRequest, tell: Callable[[str], None]) -> Environments:
    """Return what gives the interpreters of a bisection's candidates."""
    if request.kind == VERSIONS:
        return VersionEnvironments(request.source, tell)
    recipe = Recipe(script=Path(request.script)) if request.script else Recipe()
    repository = GitRepository.open(Path(request.source))
    return CommitEnvironments(Builder(repository, recipe=recipe, tell=tell))

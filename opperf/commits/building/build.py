"""The build of a commit as it is kept: its environment, or why there is none."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from opperf.core.disk import write_whole
from opperf.fetching.places import read_facts

FACTS = "build.json"
"""Written last: a folder without it was not finished."""
LOG = "build.log"
BUILT, FAILED = "built", "failed"
SHOWN = 20
"""Lines of a log that say why a build failed."""


@dataclass(frozen=True, kw_only=True)
class Build:
    """What came of building a commit.

    Args:
        commit: its full hash.
        path: the folder of the build.
        state: "built" or "failed".
        reason: why it failed.
        packages: the distributions that it installed, as NAME==VERSION.
        program: the file that a script has made, where it has.
        seconds: how long it took.
    """

    commit: str
    path: str
    state: str
    reason: str | None = None
    packages: tuple[str, ...] = ()
    program: str | None = None
    seconds: float = 0.0

    @property
    def works(self) -> bool:
        """Whether there is an environment to measure in."""
        return self.state == BUILT

    @property
    def python(self) -> str:
        """The interpreter that has this commit and the packages of the one it is made of."""
        return str(environment_in(Path(self.path)) / "bin" / "python")

    @property
    def log(self) -> Path:
        """What the build has said."""
        return Path(self.path) / LOG

    def log_end(self) -> str:
        """Return the last lines of what it has said."""
        try:
            text = self.log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        return "\n".join(text.splitlines()[-SHOWN:])

    def keep(self) -> None:
        """Write it into its folder, which is complete from then on."""
        text = json.dumps(asdict(self), indent=2) + "\n"
        write_whole(Path(self.path) / FACTS, text.encode())


def environment_in(folder: Path) -> Path:
    """Return where the environment of a build lies."""
    return folder / "environment"


def kept_build(folder: Path) -> Build | None:
    """Return the build in a folder, None where it was not finished or is damaged."""
    facts: dict[str, Any] = read_facts(folder / FACTS)
    try:
        found = Build(**{**facts, "path": str(folder), "packages": tuple(facts["packages"])})
    except (KeyError, TypeError):
        return None
    whole = found.state == FAILED or (found.works and Path(found.python).exists())
    return found if whole else None

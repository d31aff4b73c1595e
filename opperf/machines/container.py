"""The docker command that does in a container what opperf was asked to do here."""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote_path
from opperf.machines.shell import refuse_control

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

OF_THE_IMAGE = tuple(
    Path("/", name) for name in (
        "bin", "boot", "dev", "etc", "lib", "lib64", "opt/opperf", "proc", "sbin", "sys", "usr",
        "var/lib/dpkg",
    )
)  # fmt: skip
"""Where an image has files of its own, which a folder of this machine would hide."""


@dataclass(frozen=True, kw_only=True)
class Container:
    """An image, what it sees of this machine, and who runs in it."""

    image: str
    directory: Path
    folders: tuple[Path, ...] = ()
    gpus: str | None = None
    variables: tuple[str, ...] = ()
    """Names of variables whose values docker takes from its own environment."""
    user: tuple[int, int] = field(default_factory=lambda: (os.getuid(), os.getgid()))


def run_words(container: Container, words: Sequence[str]) -> list[str]:
    """Return the command: folders lie where they lie here, and what is written there is one's own.

    Processes that load data share more memory than the 64 MB that docker gives them.
    """
    user, group = container.user
    folders = [container.directory, *container.folders]
    mounts = [word for folder in outermost(folders) for word in ("--mount", mount(folder))]
    named = [word for name in container.variables for word in ("--env", name)]
    gpus = ["--gpus", container.gpus] if container.gpus else []
    return [
        "docker", "run", "--rm", "--init", "--shm-size", "1g", *gpus,
        "--user", f"{user}:{group}", "--env", "HOME=/tmp", *named, *mounts,
        "--workdir", str(container.directory), container.image, *words,
    ]  # fmt: skip


def mount(folder: Path) -> str:
    """Return what docker is told for a folder: a row of CSV, in which it may have any name.

    Raises:
        UsageError: the image has files of its own there.
    """
    refuse_control("folder", str(folder))
    if any(folder in {own, *own.parents} or own in folder.parents for own in OF_THE_IMAGE):
        raise UsageError(
            f"{quote_path(folder)}: an image has files of its own there; take another folder, such "
            "as one below /home, /srv or /data"
        )
    row = StringIO()
    csv.writer(row, lineterminator="").writerow(
        ["type=bind", f"source={folder}", f"target={folder}"]
    )
    return row.getvalue()


def outermost(folders: Iterable[Path]) -> list[Path]:
    """Return those that lie in none of the others, each once."""
    ordered = [*dict.fromkeys(folders)]
    return [one for one in ordered if not any(other in one.parents for other in ordered)]


def folder_of(path: str) -> Path | None:
    """Return the folder that has to be there for a path, which may not exist yet; None of a URL."""
    if "://" in path:
        return None
    wanted = Path(os.path.abspath(path))  # noqa: PTH100 - what is beyond a link is not the target
    folders = (wanted, *wanted.parents)
    return next(folder for folder in folders if is_there(str(folder)) and folder.is_dir())


def is_there(path: str) -> bool:
    """Return whether there is a file or folder; a text that can be no path is none."""
    return os.path.exists(path)  # noqa: PTH110 - Path.exists raises where a name is too long

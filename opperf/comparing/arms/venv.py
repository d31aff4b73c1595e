"""Virtual environments for arms: made once for each content, under a lock, and kept.

One is complete when `opperf-venv.json` lies in it, which is written last: what was interrupted is
made anew. Its folder's name is a hash of what it holds and of the python it is made of.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.comparing.arms.arm import project_of
from opperf.comparing.arms.installer import INDEX, Supply, install, make, make_locked
from opperf.core.environment.folders import user_cache
from opperf.core.errors import UsageError, unknown
from opperf.core.results.identity import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from opperf.comparing.arms.arm import ArmSpec

MARK = "opperf-venv.json"
IDENTITY = "import sys, platform; print(sys.version, platform.platform(), sys.prefix)"
LEFT_OUT = {".git", "__pycache__", ".venv", "build", "dist", "node_modules"}
"""Folders of a source tree that are no source."""
KEY = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, kw_only=True)
class Venv:
    """A virtual environment: where it is, what it was asked to hold, and what it holds."""

    key: str
    path: str
    requirements: tuple[str, ...]
    packages: tuple[str, ...] = ()

    @property
    def python(self) -> str:
        """Its interpreter."""
        return str(Path(self.path) / "bin" / "python")


def cache_folder() -> Path:
    """Return where virtual environments are kept."""
    return user_cache("venvs")


def provide(arm: ArmSpec, folder: Path, tell: Callable[[str], None]) -> str:
    """Return the interpreter of an arm, in a virtual environment where it needs one.

    Raises:
        UsageError: it cannot be made; says what the installer said last.
    """
    return (
        provide_venv(with_companions(arm), folder, tell).python if arm.requirements else arm.python
    )


def with_companions(arm: ArmSpec) -> ArmSpec:
    """Return the arm with what it needs beside what it asks for; a lock has all of it."""
    if arm.lock is not None:
        return arm
    return replace(arm, requirements=(*arm.requirements, *companions(arm.requirements)))


def provide_venv(
    arm: ArmSpec, folder: Path, tell: Callable[[str], None], supply: Supply = INDEX
) -> Venv:
    """Return the virtual environment that holds what is required and no more; make it once.

    Raises:
        UsageError: it cannot be made; says what the installer said last.
    """
    try:
        contents = arm.requirements if arm.lock is None else (f"lock {arm.lock_sha256}",)
        key = key_of(arm.python, contents, supply.constraints)
        folder.mkdir(parents=True, exist_ok=True)
        with hold_lock(folder / f"{key}.lock", lambda: tell(f"waiting for another process: {key}")):
            return load(folder / key) or build(arm, folder / key, tell, supply)
    except OSError as error:
        raise UsageError(
            f"{arm.subject}: cannot make a virtual environment in {folder}: {error.strerror}; "
            "free space, or set XDG_CACHE_HOME to another folder"
        ) from error


def companions(requirements: Sequence[str]) -> list[str]:
    """Return what these need beside them and do not ask for themselves, unless it is named.

    opperf needs NumPy, and each framework one that it was built for: MXNet uses names that NumPy 2
    lacks and, before 1.9, some that 1.24 lacks; PyTorch before 2.3 was built for NumPy 1.
    """
    named = {project_of(requirement): requirement for requirement in requirements}
    if "numpy" in named:
        return []
    for name, requirement in named.items():
        version = tuple(int(part) for part in re.findall(r"\d+", requirement)[:2])
        if name is not None and name.startswith("mxnet"):
            return ["numpy==1.23.5" if version < (1, 9) else "numpy>=1.23.5,<2"]
        if name == "torch" and version and version < (2, 3):
            return ["numpy>=1.23.5,<2"]
    return ["numpy>=1.23.5"]


def key_of(python: str, requirements: Sequence[str], constraints: Sequence[str] = ()) -> str:
    """Return the key of a virtual environment: the same for the same content."""
    said = subprocess.run(  # noqa: S603 - the arm's interpreter, arguments as a list
        [python, "-I", "-c", IDENTITY], capture_output=True, text=True, check=False, timeout=60
    )
    bounds = [f"constraint {content_of(path)}" for path in constraints]
    return digest([said.stdout, [*map(content_of, requirements), *bounds]])


def content_of(requirement: str) -> str:
    """Return what stands for the content of a requirement: a hash of what lies on this machine."""
    if requirement.startswith("git+"):
        return f"{requirement} {commit_of(requirement)}"
    path = Path(requirement)
    if path.is_file():
        return sha256(path.read_bytes()).hexdigest()
    return tree_hash(path) if path.is_dir() else requirement


def commit_of(requirement: str) -> str:
    """Return the commit that a git requirement stands for now."""
    url, _, revision = requirement.removeprefix("git+").partition("@")
    found = subprocess.run(  # noqa: S603 - arguments as a list, after which git takes no options
        ["git", "ls-remote", "--", url, revision or "HEAD"],  # noqa: S607 - the user's git
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    if found.returncode != 0:
        last = (found.stderr.strip().splitlines() or ["git said nothing"])[-1]
        raise UsageError(f"{requirement}: {last}")
    return found.stdout.split()[0] if found.stdout.split() else revision


def tree_hash(folder: Path) -> str:
    """Return a hash of all files of a source tree, by their names and contents."""
    made = sha256()
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in LEFT_OUT)
        for name in sorted(names):
            path = Path(base) / name
            if path.is_file():
                made.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
                made.update(path.read_bytes())
    return made.hexdigest()


def build(arm: ArmSpec, path: Path, tell: Callable[[str], None], supply: Supply) -> Venv:
    """Make a virtual environment; whatever was there is incomplete and goes first."""
    requirements = arm.requirements
    locked = "" if arm.lock is None else f", as locked by {arm.lock_sha256}"
    tell(f"installing {' '.join(requirements)}{locked}")
    shutil.rmtree(path, ignore_errors=True)
    try:
        if arm.lock is not None:
            packages = make_locked(arm.python, path, arm.lock)
        else:
            make(arm.python, path)
            packages = install(path, requirements, supply)
    except BaseException as error:
        shutil.rmtree(path, ignore_errors=True)
        if isinstance(error, UsageError):
            raise UsageError(f"{arm.subject}: {error}") from error
        raise
    made = Venv(key=path.name, path=str(path), requirements=requirements, packages=packages)
    partial = path / f".{MARK}"
    partial.write_text(json.dumps(asdict(made), indent=2) + "\n", encoding="utf-8")
    partial.replace(path / MARK)
    return made


def load(path: Path) -> Venv | None:
    """Return the complete virtual environment in a folder, None where there is none."""
    try:
        stored = json.loads((path / MARK).read_text(encoding="utf-8"))
        found = Venv(
            key=path.name,
            path=str(path),
            requirements=tuple(map(str, stored["requirements"])),
            packages=tuple(map(str, stored["packages"])),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if Path(found.python).exists() else None


def venvs(folder: Path) -> list[Venv]:
    """Return the complete virtual environments that are kept."""
    if not folder.is_dir():
        return []
    found = (load(path) for path in sorted(folder.iterdir()) if KEY.fullmatch(path.name))
    return [venv for venv in found if venv]


def keys_in(folder: Path) -> list[str]:
    """Return the keys of all virtual environments that are kept, complete or not."""
    there = (path.name for path in folder.iterdir()) if folder.is_dir() else ()
    return sorted(name for name in there if KEY.fullmatch(name))


def remove(folder: Path, keys: Sequence[str]) -> list[str]:
    """Remove virtual environments by their keys, complete or not; return what was removed.

    Raises:
        UsageError: one of them does not exist or is being made.
    """
    kept = keys_in(folder)
    for key in keys:
        if key not in kept:
            raise UsageError(unknown("virtual environment", key, kept))
    for key in keys:
        with hold_lock(folder / f"{key}.lock", lambda: None):
            shutil.rmtree(folder / key, ignore_errors=True)
        (folder / f"{key}.lock").unlink(missing_ok=True)
    return list(keys)


@contextmanager
def hold_lock(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold a lock file; `waiting` is told where another process has it.

    An installer that is started meanwhile holds it as long as it runs.
    """
    from fcntl import LOCK_EX, LOCK_NB, flock

    with path.open("w") as file:
        os.set_inheritable(file.fileno(), True)  # noqa: FBT003 - its own signature
        try:
            flock(file, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            waiting()
            flock(file, LOCK_EX)
        yield

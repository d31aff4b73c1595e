"""Environments that see the packages of another python, and what was installed into them beside.

A framework takes gigabytes and hours: a commit's environment holds what the commit brings, and
takes the rest from the python that it is made of. Its own packages come first on the path.
"""

from __future__ import annotations

import json
from importlib.metadata import Distribution, distributions
from pathlib import PurePosixPath
from shlex import quote
from typing import TYPE_CHECKING

from opperf.comparing.arms.installer import run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

PATHS = (
    "import json, sysconfig; paths = sysconfig.get_paths(); "
    "print(json.dumps([paths['purelib'], paths['platlib']]))"
)
POINTER = "opperf_shared.pth"
MODULES = (".py", ".so", ".pyd")


def make_shared(python: str, path: Path) -> None:
    """Make an environment that sees the packages of an interpreter.

    Raises:
        UsageError: says what went wrong.
    """
    run([python, "-I", "-m", "venv", "--without-pip", str(path)])
    lines = [f"import site; site.addsitedir({folder!r})" for folder in packages_of(python)]
    (own_packages(path) / POINTER).write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in ("pip", "pip3"):
        write_pip(path / "bin" / name, path / "bin" / "python")


def write_pip(script: Path, python: Path) -> None:
    """Write a `pip` that installs into an environment.

    A build script that says `pip install` would find the user's own on PATH otherwise, and install
    the commit into the user's Python.
    """
    script.write_text(f'#!/bin/sh\nexec {quote(str(python))} -m pip "$@"\n', encoding="utf-8")
    script.chmod(0o755)


def packages_of(python: str) -> list[str]:
    """Return the folders in which an interpreter keeps its packages."""
    return list(dict.fromkeys(json.loads(run([python, "-I", "-c", PATHS]))))


def own_packages(path: Path) -> Path:
    """Return the folder of an environment's own packages.

    It is looked for below the environment. Its interpreter is not asked: without a pyvenv.cfg it
    names the folder of the Python that the environment is made of.
    """
    return next(path.glob("lib/python*/site-packages"))


def installed_in(path: Path) -> list[Distribution]:
    """Return the distributions that lie in an environment itself."""
    return [*distributions(path=[str(own_packages(path))])]


def modules_of(found: Iterable[Distribution], source: Path) -> list[str]:
    """Return the modules that distributions built from a source tree bring, as imports name them.

    Those that come from elsewhere, as dependencies do, are not its own.
    """
    own = (each for each in found if comes_from(each, source))
    names = {name for each in own for name in top_names(each)}
    return sorted(name for name in names if name.isidentifier() and not name.startswith("_"))


def comes_from(found: Distribution, source: Path) -> bool:
    """Return whether a distribution was installed from below a folder, by what pip noted."""
    try:
        url = json.loads(found.read_text("direct_url.json") or "{}").get("url", "")
    except (ValueError, AttributeError):
        return False
    return str(url).startswith(source.as_uri())


def top_names(found: Distribution) -> Iterator[str]:
    """Yield the names of a distribution's packages and modules."""
    files = [PurePosixPath(str(file)) for file in found.files or ()]
    for file in files:
        if len(file.parts) == 1 and file.suffix in MODULES:
            yield file.name.partition(".")[0]
        elif len(file.parts) == 2 and file.name == "__init__.py":  # noqa: PLR2004 - NAME/__init__
            yield file.parts[0]
    path = found.read_text("top_level.txt") or ""
    yield from path.split()

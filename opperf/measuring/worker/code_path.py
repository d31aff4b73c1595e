"""Where other interpreters find opperf: a folder on their path that holds opperf and nothing else.

Installed, it lies in `site-packages`, between this interpreter's own framework and NumPy. On the
path of another one that folder would come before its own packages: whichever version it is of that
is measured, all would be this interpreter's.
"""

from __future__ import annotations

import atexit
import os
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from opperf.core.environment.folders import user_cache
from opperf.core.results.identity import digest

ROOT = Path(__file__).parents[3]
INSTALLED = {"site-packages", "dist-packages"}
PACKAGE = "opperf"


@cache
def code_path(root: Path = ROOT) -> str:
    """Return the folder that children have first on their path.

    Of a source tree it is the tree itself. Of an installed package it is one of the user's cache,
    with a link to it; where none can be made there, one for this process.
    """
    if root.name not in INSTALLED:
        return str(root)
    with suppress(OSError):
        return str(linked(root, user_cache("code", digest(str(root)))))
    folder = Path(mkdtemp(prefix="opperf-code-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return str(linked(root, folder))


def linked(root: Path, folder: Path) -> Path:
    """Return a folder that holds a link to the package and nothing else."""
    target, link = root / PACKAGE, folder / PACKAGE
    if not link.is_symlink() or link.readlink() != target:
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder.with_name(f".{folder.name}.{os.getpid()}")
        partial.symlink_to(target)
        partial.replace(link)
    return folder

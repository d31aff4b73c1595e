"""Starting a child's process."""

from __future__ import annotations

import os
import subprocess
from contextlib import nullcontext
from typing import TYPE_CHECKING

from opperf.core.errors import LoadingError
from opperf.core.memory.layout import fixed_layout

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PROGRAM = (
    "import sys; sys.path[:] = filter(None, sys.path); "
    "from importlib import import_module; import_module(sys.argv[1]).main(sys.argv[2:])"
)
"""What the interpreter of a child runs first. `-m` would look for modules in the folder that it
starts in; only Python 3.11 and newer can be told not to."""


def launch(
    python: str,
    arguments: Sequence[str],
    variables: Mapping[str, str],
    fds: Sequence[int],
    output: int,
    *,
    plain: bool,
) -> subprocess.Popen[bytes]:
    """Start a module's `main` in an interpreter, and close what only the child needs.

    Args:
        python: the interpreter.
        arguments: the module and what its `main` takes.
        variables: its environment.
        fds: the ends of pipes that it takes along.
        output: where it prints to.
        plain: whether its memory is laid out at random, as the system does.

    Raises:
        LoadingError: the interpreter cannot be started.
    """
    try:
        with nullcontext() if plain else fixed_layout():
            return subprocess.Popen(  # noqa: S603 - our own module, arguments as a list
                [python, "-c", PROGRAM, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=variables,
                pass_fds=fds,
                start_new_session=True,
            )
    except OSError as error:
        raise LoadingError(f"cannot start {python}: {error.strerror}") from error
    finally:
        for fd in (*fds, output):
            os.close(fd)

"""What is run: arguments, environment, launcher, paths and folder, put together and checked."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, nearest, quote, quote_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SHELL = "/bin/sh"
PROC = Path("/proc/self/stat")
MOST_BYTES = 2**17
"""Of one argument or variable: the kernel takes no longer one."""


@dataclass(frozen=True, kw_only=True)
class WatchCommand:
    """A command, as it is started in an environment of its own; the parent's stays as it is.

    Args:
        arguments: what is run and what it is given; no shell looks at it.
        script: the same as text for a shell, instead of `arguments`.
        program: what runs the arguments, such as an interpreter.
        launcher: what runs all of it, such as ("taskset", "-c", "0").
        variables: set in its environment; None removes one.
        library_paths: folders before those of LD_LIBRARY_PATH.
        python_paths: folders before those of PYTHONPATH.
        preload: libraries before those of LD_PRELOAD.
        directory: the folder that it runs in, None for this process's own.
    """

    arguments: Sequence[str] = ()
    script: str | None = None
    program: str | None = None
    launcher: Sequence[str] = ()
    variables: Mapping[str, str | None] = field(default_factory=dict)
    library_paths: Sequence[str] = ()
    python_paths: Sequence[str] = ()
    preload: Sequence[str] = ()
    directory: Path | None = None

    def words(self) -> list[str]:
        """Return the whole argument list."""
        own = [*self.arguments] if self.script is None else [SHELL, "-c", self.script]
        return [*self.launcher, *([self.program] if self.program else []), *own]

    def environment(self, environ: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return its variables; what the parent has comes first, what is set here counts."""
        found = {**(os.environ if environ is None else environ)}
        for name, value in self.variables.items():
            if value is None:
                found.pop(name, None)
            else:
                found[name] = value
        for name, folders in (
            ("LD_LIBRARY_PATH", self.library_paths),
            ("PYTHONPATH", self.python_paths),
            ("LD_PRELOAD", self.preload),
        ):
            if folders:
                found[name] = os.pathsep.join([*folders, *filter(None, [found.get(name)])])
        return found

    def check(self) -> None:
        """Refuse what could not be started.

        Raises:
            UsageError: Names the program, the folder or the text, and the remedy.
        """
        if not PROC.exists():
            raise UsageError("cannot watch a command here: that needs /proc, as Linux has it")
        words, variables = self.words(), self.environment()
        for text in (*words, *variables, *variables.values()):
            if "\0" in text or len(os.fsencode(text)) > MOST_BYTES:
                raise UsageError(
                    f"cannot run {quote(text)}: NUL, or longer than {MOST_BYTES} bytes"
                )
        if not words or not words[0]:
            raise UsageError("cannot run an empty command: name a program")
        folder = self.directory or Path.cwd()
        if not folder.is_dir():
            raise UsageError(f"cannot run in {quote_path(folder)}: there is no such directory")
        for library in self.preload:
            if "/" in library and not (folder / library).is_file():
                raise UsageError(f"cannot preload {quote_path(library)}: there is no such file")
        check_program(words[0], folder, variables.get("PATH", os.defpath))


def check_program(name: str, folder: Path, path: str) -> None:
    """Refuse a program that is not there or cannot be executed."""
    where = str(folder / name) if "/" in name else name
    if shutil.which(where, path=path):
        return
    if "/" in name:
        fault = "it cannot be executed" if (folder / name).exists() else "there is no such file"
        raise UsageError(f"cannot run {quote_path(name)}: {fault}")
    folders = [Path(place) for place in path.split(os.pathsep) if Path(place).is_dir()]
    names = {entry.name for place in folders for entry in place.iterdir()}
    near = nearest(name, names)
    hint = f"; did you mean {near}?" if near else ""
    raise UsageError(f"cannot run {quote_path(name)}: no program on PATH is called so{hint}")

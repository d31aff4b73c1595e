"""A script task, as a section of a tasks file states it."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError
from opperf.tasks.gpus import with_gpus, with_gpus_in_text
from opperf.watching.command import WatchCommand
from opperf.watching.matching import NumberPattern

if TYPE_CHECKING:
    from collections.abc import Mapping

OPERATORS = frozenset({"|", "||", "&&", ";", "&", ">", ">>", "<", "2>", "2>&1", "|&"})
"""Words that a shell understands, and a program takes for arguments."""


@dataclass(frozen=True, kw_only=True)
class LogMetric:
    """A metric of a task: the pattern that finds its numbers, and what is made of them."""

    name: str
    pattern: str
    method: str
    unit: str = "1"
    better: str | None = None


@dataclass(frozen=True, kw_only=True)
class ScriptTask:
    """A command, the metrics of its log, and the bounds that they must keep.

    Args:
        name: that of its section.
        command: what is run, split into words as a shell does, unless `shell`.
        num_gpus: the number of GPUs that the command names.
        metrics: what is found in its log.
        shell: whether a shell runs the command.
        timeout: seconds after which it is ended; None for never.
        low: the least that metrics may be, by their names.
        high: the most.
    """

    name: str
    command: str
    num_gpus: int
    metrics: tuple[LogMetric, ...]
    shell: bool = False
    timeout: float | None = None
    low: Mapping[str, float] = field(default_factory=dict)
    high: Mapping[str, float] = field(default_factory=dict)
    program: str | None = None
    launcher: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    library_paths: tuple[str, ...] = ()
    python_paths: tuple[str, ...] = ()
    preload: tuple[str, ...] = ()
    directory: str | None = None

    def watch_command(
        self,
        num_gpus: int,
        variables: Mapping[str, str] | None = None,
        python: str = sys.executable,
    ) -> WatchCommand:
        """Return what is started for so many GPUs.

        Args:
            num_gpus: how many.
            variables: set in its environment beside those of the section.
            python: the interpreter that the command's `python` is.

        Raises:
            UsageError: its quotes do not match, it needs a shell, or has no place for the number.
        """
        words: list[str] = []
        script = None
        if self.shell:
            script = with_gpus_in_text(self.command, self.num_gpus, num_gpus)
        else:
            words = with_gpus(self.words(), self.num_gpus, num_gpus)
        given = {**self.variables, **(variables or {})}
        folder = str(Path(python).parent)
        path = os.pathsep.join([folder, given.get("PATH", os.environ.get("PATH", os.defpath))])
        return WatchCommand(
            arguments=words, script=script, program=self.program, launcher=self.launcher,
            variables={**given, "PATH": path}, library_paths=self.library_paths,
            python_paths=self.python_paths, preload=self.preload,
            directory=Path(self.directory) if self.directory else None,
        )  # fmt: skip

    def words(self) -> list[str]:
        """Return the command's argument list, as the section has it."""
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise UsageError(f"command_to_execute: {error}; quote it as a shell does") from None
        for word in words:
            if word in OPERATORS:
                raise UsageError(f"command_to_execute: {word!r} is a shell's; set shell = yes")
        return words

    def patterns(self) -> list[NumberPattern]:
        """Return what finds the numbers of each metric, without any yet."""
        return [NumberPattern(metric.pattern) for metric in self.metrics]

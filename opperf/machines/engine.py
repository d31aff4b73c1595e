"""An engine that has machines: what its own program is told for each verb."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from opperf.core.errors import UsageError
from opperf.machines.shell import line, with_input

if TYPE_CHECKING:
    from opperf.machines.machine import MachineSpec

COMMON = frozenset({"--gpus", "--cpus", "--memory", "--engine-option", "COMMAND"})
"""What every engine takes to create a machine."""


@dataclass(frozen=True, kw_only=True)
class EngineCall:
    """A command of an engine's own program."""

    words: tuple[str, ...]
    text: str | None = None
    """What it reads from its standard input."""
    jobs: tuple[str, ...] | None = None
    """A command that prints the numbers of the machine's jobs, which go behind the words."""
    anew: bool = False
    """It is called only where there are no jobs yet, and gets no numbers."""

    def shell(self) -> str:
        """Return the same as a shell takes it."""
        if self.text is not None:
            return with_input(self.words, self.text)
        if self.jobs is None:
            return line(self.words)
        if self.anew:
            return f'test -z "$({line(self.jobs)})" && {line(self.words)}'
        return f'{line(self.words)} "$({line(self.jobs)} | paste -sd , -)"'


class Engine(ABC):
    """What an engine calls the five things that are done with a machine."""

    name: ClassVar[str]
    flags: ClassVar[frozenset[str]]
    """Of `opperf machine create`, beside those that all engines take."""
    everywhere: ClassVar[frozenset[str]] = frozenset()
    """Of the other verbs as well."""
    source: ClassVar[str]
    """Where its program comes from."""

    def call(self, verb: str, spec: MachineSpec) -> EngineCall:
        """Return the command for a verb.

        Raises:
            UsageError: something is asked for that this engine does not have.
        """
        spec.check()
        allowed = self.everywhere | (COMMON | self.flags if verb == "create" else frozenset())
        for flag in spec.flags():
            if flag not in allowed:
                raise UsageError(
                    f"{flag}: `machine {verb} --engine {self.name}` takes no such thing; "
                    f"it takes {', '.join(sorted(allowed)) or 'a name'}"
                )
        commands = {
            "create": self.create, "status": self.status, "start": self.start, "stop": self.stop,
            "delete": self.delete,
        }  # fmt: skip
        return commands[verb](spec)

    @abstractmethod
    def create(self, spec: MachineSpec) -> EngineCall:
        """Return what makes it."""

    @abstractmethod
    def status(self, spec: MachineSpec) -> EngineCall:
        """Return what says how it is."""

    @abstractmethod
    def start(self, spec: MachineSpec) -> EngineCall:
        """Return what has it run again."""

    @abstractmethod
    def stop(self, spec: MachineSpec) -> EngineCall:
        """Return what has it rest, so that it can be started again."""

    @abstractmethod
    def delete(self, spec: MachineSpec) -> EngineCall:
        """Return what removes it for good."""

    @abstractmethod
    def entry(self, spec: MachineSpec) -> str:
        """Return the command that opens a shell on it."""

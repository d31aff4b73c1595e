"""A machine as it is asked for, whatever the engine."""

from __future__ import annotations

import getpass
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opperf.core.environment.variables import SECRET_VALUE
from opperf.core.errors import UsageError, quote
from opperf.machines.image import check_reference
from opperf.machines.shell import refuse_control

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = re.compile(r"[a-z](?:[a-z0-9-]{0,51}[a-z0-9])?")
"""What all engines take for a name, with room for what they put behind it."""
GPUS = re.compile(r"(?:(?P<model>[A-Za-z][A-Za-z0-9_-]{0,62}):)?(?P<count>[1-9][0-9]{0,2})")
WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/*:@+-]{0,252}")
LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,316}=[A-Za-z0-9._-]{0,63}")
MOST_CPUS = 10_000


@dataclass(frozen=True, kw_only=True)
class MachineSpec:
    """A machine: its name, what it has, and what runs on it."""

    name: str
    gpus: str | None = None
    cpus: int | None = None
    memory: int | None = None
    image: str | None = None
    lifetime: float | None = None
    """Seconds until the engine ends it."""
    idle: float | None = None
    """Seconds without work after which the engine stops it."""
    infra: str | None = None
    partition: str | None = None
    namespace: str | None = None
    context: str | None = None
    labels: tuple[str, ...] = ()
    """Of nodes of Kubernetes."""
    options: tuple[str, ...] = ()
    """Further words for the engine's program."""
    command: tuple[str, ...] = ()

    @property
    def gpu_count(self) -> int:
        """How many GPUs it has."""
        found = GPUS.fullmatch(self.gpus or "")
        return int(found["count"]) if found else 0

    @property
    def gpu_model(self) -> str | None:
        """Of which kind they are, None where that is left open."""
        found = GPUS.fullmatch(self.gpus or "")
        return found["model"] if found else None

    def flags(self) -> Mapping[str, object]:
        """Return what was asked for, by the flag that asks for it."""
        values = {
            "--gpus": self.gpus, "--cpus": self.cpus, "--memory": self.memory,
            "--image": self.image, "--lifetime": self.lifetime, "--idle-stop": self.idle,
            "--infra": self.infra, "--partition": self.partition, "--namespace": self.namespace,
            "--context": self.context, "--node-label": self.labels,
            "--engine-option": self.options, "COMMAND": self.command,
        }  # fmt: skip
        return {flag: value for flag, value in values.items() if value not in {None, ()}}

    def check(self) -> None:
        """Refuse what no engine takes.

        Raises:
            UsageError: names the value and what is allowed.
        """
        if not NAME.fullmatch(self.name):
            raise UsageError(
                f"--name {quote(self.name)}: must be lower-case letters, digits and -, beginning "
                "with a letter and at most 53 long"
            )
        if self.gpus is not None and not GPUS.fullmatch(self.gpus):
            raise UsageError(f"--gpus {quote(self.gpus)}: must be N or MODEL:N, as in A100:8")
        if self.cpus is not None and not 1 <= self.cpus <= MOST_CPUS:
            raise UsageError(f"--cpus {self.cpus}: must be from 1 to {MOST_CPUS}")
        if self.image is not None:
            check_reference(self.image, "--image")
        self.check_words()

    def check_words(self) -> None:
        """Refuse words that would be options, or that are no words at all.

        Raises:
            UsageError: names the value and what is allowed.
        """
        for flag in ("--infra", "--partition", "--namespace", "--context"):
            word = self.flags().get(flag)
            if word is not None and not WORD.fullmatch(str(word)):
                raise UsageError(f"{flag} {quote(word)}: must be a name, and no option")
        for label in self.labels:
            if not LABEL.fullmatch(label):
                raise UsageError(f"--node-label {quote(label)}: must be KEY=VALUE")
        for word in self.options:
            refuse_control("--engine-option", word)
        for word in (*self.options, *self.command):
            if SECRET_VALUE.search(word):
                raise UsageError(
                    "a word of the command or of --engine-option looks like a secret; a command "
                    "line is no place for it: have the machine read it from a file"
                )


def own_name() -> str:
    """Return a name that no other user of the same engine is likely to have."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container's user without a name
        user = ""
    word = re.sub(r"[^a-z0-9]+", "-", user.lower()).strip("-")[:40].rstrip("-")
    return f"opperf-{word}" if word else "opperf"

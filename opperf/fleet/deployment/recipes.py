"""The recipes that ship with the package, as they are printed."""

from __future__ import annotations

import re
import shlex
from importlib.resources import files
from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.fleet.deployment.command import WorkerCommand

FILES = {
    "kubernetes": "kubernetes.yaml",
    "systemd-scheduler": "opperf-scheduler.service",
    "systemd-slice": "opperf.slice",
    "systemd-worker": "opperf-worker.service",
}
"""Those that are edited, not filled in."""

HOST = re.compile(r"([A-Za-z0-9_][\w.-]*@)?[A-Za-z0-9][\w.:-]*", re.ASCII)
"""A name or an alias of ssh's configuration: never an option."""


def recipe_text(file: str) -> str:
    """Return a file of the recipes."""
    return (files("opperf.fleet.deployment") / "files" / file).read_text(encoding="utf-8")


def ssh_script(worker: WorkerCommand, hosts: Sequence[str]) -> str:
    """Return a shell script that starts a worker on each host by ssh.

    Raises:
        UsageError: a worker could not be started so, or a host is none.
    """
    worker.check()
    for host in hosts:
        if not HOST.fullmatch(host):
            raise UsageError(f"{quote(host)} is no host for ssh; allowed: HOST and USER@HOST")
    text = recipe_text("ssh.sh")
    return text.replace("@HOSTS@", shlex.join(hosts)).replace("@COMMAND@", worker.shell())

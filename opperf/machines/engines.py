"""The engines there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, unknown
from opperf.machines.kubernetes import Kubernetes
from opperf.machines.skypilot import SkyPilot
from opperf.machines.slurm import Slurm

if TYPE_CHECKING:
    from opperf.machines.engine import Engine

ENGINES: dict[str, Engine] = {one.name: one for one in (Kubernetes(), SkyPilot(), Slurm())}


def find_engine(name: str) -> Engine:
    """Return an engine by its name.

    Raises:
        UsageError: there is none; names those that there are.
    """
    if name not in ENGINES:
        raise UsageError(unknown("engine", name, ENGINES))
    return ENGINES[name]

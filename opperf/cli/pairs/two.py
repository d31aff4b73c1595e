"""Two arms of a comparison: whether they are the same, and their interpreters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from opperf.cli.common.messages import say
from opperf.cli.pairs.arms import same_entries
from opperf.comparing.arms.venv import cache_folder, provide
from opperf.measuring.worker.variables import child_variables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opperf.comparing.arms.arm import ArmSpec
    from opperf.comparing.arms.entry import ArmEntry
    from opperf.comparing.pairs.job import Job


def say_same(
    entries: Mapping[str, ArmEntry], arms: Mapping[str, ArmSpec], jobs: Sequence[Job]
) -> None:
    """Say which arms come out identical."""
    for one, other in same_entries(entries, jobs):
        say(f"arms {one} and {other} come out identical, in interpreter, packages and settings")
    if not entries and same_in_effect(arms, jobs):
        say("both arms come out identical, in interpreter, packages and settings: this is A with A")


def same_in_effect(arms: Mapping[str, ArmSpec], jobs: Sequence[Job]) -> bool:
    """Return whether the processes of both arms are the same, though their texts may differ.

    A setting that opperf makes anyway changes nothing, such as OMP_NUM_THREADS=1 beside one thread.
    """
    a, b = arms["a"], arms["b"]
    if (a.python, a.requirements, a.lock) != (b.python, b.requirements, b.lock):
        return False
    places = {(job.task.framework, job.task.settings.threads) for job in jobs}
    return all(
        child_variables(*place, a.variables) == child_variables(*place, b.variables)
        for place in places
    )


def with_environment(arm: ArmSpec, tell: Callable[[str], None]) -> ArmSpec:
    """Return the arm with the interpreter that has everything it requires."""
    return replace(arm, python=provide(arm, cache_folder(), tell), requirements=())

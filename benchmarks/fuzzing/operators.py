"""Hostile inputs of operators, by class and by command line, up to a check on NumPy."""

from __future__ import annotations

import json
import os
import resource
import signal
import traceback
from functools import partial
from typing import TYPE_CHECKING, Any

from fuzzing import values
from fuzzing.tally import ACCEPTED, HANG, LONGEST, REFUSED, TRACEBACK
from opperf.cli.common.options import parse_inputs
from opperf.core.configuration.settings import Settings
from opperf.core.errors import UsageError
from opperf.core.frameworks.registry import find_framework
from opperf.core.memory.available import require_memory
from opperf.declaring.description import describe, plain_inputs
from opperf.declaring.registry import operators
from opperf.legacy.inputs import OLDER_INPUTS
from opperf.measuring.attempt import Attempt
from opperf.planning.companions import plan_run
from opperf.planning.selection import Selection
from opperf.running.namespace import runnable

if TYPE_CHECKING:
    from random import Random

    from fuzzing.tally import Tally
    from opperf.planning.task import Task
    from opperf.running.operator import Operator

FRAMEWORKS = ("numpy", "mxnet", "pytorch")
MEMORY = 2**30
"""Bytes that planning may take inputs to need; more is refused before anything is built."""
SMALL_MEMORY, SMALL_WORK = 2**24, 10**8
"""Bytes and FLOP up to which an operator is built and checked."""
LIMIT = 2**32
"""Bytes of address space that a building process may have."""
OLDER, KINDS = 0.3, ((3, 3), 1, 0.5, True)
"""The share of inputs with one in the older package's words, and what its values were."""
FACE = ("framework", "device", "ctx", "warmup", "runs", "precision", "budget", "threads", "seed")


def try_class(random: Random, tally: Tally) -> Operator | None:
    """Make an operator as a user's program does, and ask it for all that measuring asks for."""
    kind = random.choice([*operators().values()])
    size = random.choice([*kind.sizes, "small", "small", "small"])
    given = values.inputs(random, kind.defaults(size))
    older = [*OLDER_INPUTS.get(kind.name(), ())]
    if older and random.random() < OLDER:
        given[random.choice(older)] = values.value(random, random.choice(KINDS))
    options: dict[str, Any] = {"size": size}
    if random.random() < 0.05:
        options[random.choice((*FACE, "size"))] = random.choice(
            random.choice((values.WHOLE, values.FLOATS, values.NAMES, values.TEXTS, values.ODD))
        )
    made: list[Operator] = []

    def make() -> str:
        made.append(runnable(kind)(given, **options))
        for operator in (made[0], *made[0].others[:3]):
            ask(operator)
        return ACCEPTED

    tally.attempt("class", (kind.name(), given, options), make)
    return made[0] if made else None


def ask(operator: Operator) -> None:
    """Ask for everything that comes before building."""
    for name in FRAMEWORKS:
        framework = find_framework(name)
        for variant in operator.variants():
            describe(operator, framework, operator.device, operator.settings, variant)
    repr(operator)
    json.dumps({"inputs": plain_inputs(operator), "rows": operator.rows()})
    require_memory(operator.name(), operator.memory_needed(), MEMORY)


def try_plan(random: Random, tally: Tally) -> None:
    """Plan a run, or a sweep, from texts as they are typed."""
    kind = random.choice([*operators().values()])
    size = random.choice([*kind.sizes])
    given = values.inputs(random, kind.defaults(size))
    typed = [f"{name}={values.text(random, each)}" for name, each in given.items()]
    sweep = random.random() < 0.2

    def plan() -> str:
        selection = Selection(
            text=f"name={kind.name()}",
            frameworks=(random.choice(FRAMEWORKS),),
            sizes=(size,),
            inputs=parse_inputs(typed),
            memory_limit=MEMORY,
            sweep=sweep,
        )
        tasks = plan_run(selection)
        for task in tasks:
            json.dumps(task_text(task))
        return ACCEPTED

    tally.attempt("sweep" if sweep else "plan", (kind.name(), size, typed), plan)


def task_text(task: Task) -> dict[str, Any]:
    """Return what is sent to the measuring process."""
    return {"operator": task.operator, "inputs": dict(task.inputs), "rows": task.rows}


def is_small(operator: Operator) -> bool:
    """Return whether building and checking takes little memory and work."""
    return operator.memory_needed() <= SMALL_MEMORY and operator.flop_count() <= SMALL_WORK


def try_building(operator: Operator, tally: Tally) -> None:
    """Build and check an operator on NumPy, in a process of its own that may not come back."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        build(operator, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        said = told.read().decode("utf-8", "replace")
    _, status = os.waitpid(child, 0)
    hung = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGKILL)
    outcome, _, place = said.partition("\n")
    if not outcome:
        outcome, place = (HANG, "building") if hung else (TRACEBACK, f"building ended by {status}")
    tally.count("building", outcome, place, operator)


def build(operator: Operator, writing: int) -> None:
    """Say what came of it, and end."""
    say = partial(os.write, writing)
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(int(LONGEST))
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
        settings = Settings(runs=6, warmup=0)
        attempt = Attempt(operator, find_framework("numpy"), "cpu", settings, check_only=True)
        found = [result.status for result in attempt.results()]
        failed = [status for status in found if status not in ("ok", "skipped", "unsupported")]
        say(f"row {failed[0] if failed else 'checked'}".encode())
    except UsageError:
        say(REFUSED.encode())
    except BaseException:  # noqa: BLE001 - it is told, whatever it is
        say(f"{TRACEBACK}\n{traceback.format_exc()[-600:]}".encode("utf-8", "replace"))
    finally:
        os._exit(0)

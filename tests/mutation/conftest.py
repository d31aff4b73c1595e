"""Running ordinary tests of the core against a copy of it in which one place is wrong."""

from __future__ import annotations

import ast
import importlib.util
import signal
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import signature
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from tests.mutation.places import mutated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COPIED = {
    "device": "opperf.core.frameworks.device",
    "workload": "opperf.core.frameworks.workload",
    "statistics": "opperf.core.statistics.summary",
    "warming": "opperf.core.timing.warming",
    "sampler": "opperf.core.timing.sampler",
    "measure": "opperf.core.timing.measure",
    "signed_rank": "opperf.comparing.signed_rank",
    "verdict": "opperf.comparing.verdict",
    "blocks": "opperf.comparing.pairs.blocks",
}
"""The modules that are copied, each before those that import it."""
TESTS = Path(__file__).parents[1]
PATIENCE = 30.0
"""Seconds of the processor after which a mutant counts as found out: it hangs."""


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """A wrong copy of a module: `old`, which stands once in `place`, replaced by `new`.

    `place` is the module's name in `COPIED`, a colon, and the function's.
    """

    place: str
    old: str
    new: str

    def tree(self, name: str, source: str) -> ast.Module:
        """Return a module's tree, with the change where it is this mutant's."""
        module, _, function = self.place.partition(":")
        if module != name:
            return ast.parse(source)
        return mutated(source, function, self.old, self.new)


@dataclass
class Copy:
    """A copy of the modules, and the ordinary tests imported upon it."""

    modules: dict[str, ModuleType]

    @classmethod
    def of(cls, mutant: Mutant | None = None) -> Copy:
        """Return a copy of the modules with the mutant's change, or without any."""
        made = cls({})
        for name, full in COPIED.items():
            source = source_of(full)
            tree = mutant.tree(name, source) if mutant else ast.parse(source)
            made.modules[full] = made.execute(full, tree)
        return made

    def execute(self, name: str, source: str | ast.Module) -> ModuleType:
        """Return a module made of this source or tree, which imports the copies made so far."""
        module = ModuleType(name)
        with replaced({**self.modules, name: module}):
            exec(compile(source, f"<{name}>", "exec"), module.__dict__)  # noqa: S102 - our own
        return module

    def fails(self, test: str) -> bool:
        """Return whether a test fails on this copy."""
        file, _, name = test.partition(".")
        path = TESTS / f"{file}.py"
        module = self.execute(f"copied_{path.stem}", path.read_text())
        fixtures = self.execute("copied_conftest", (TESTS / "core" / "conftest.py").read_text())
        with replaced({**self.modules, module.__name__: module}), patience():
            return any(fails(call) for call in calls(getattr(module, name), fixtures))


def source_of(name: str) -> str:
    """Return a module's source."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_text()


def fails(call: Callable[[], object]) -> bool:
    """Return whether a call raises, as a failed test does."""
    try:
        call()
    except (Exception, pytest.fail.Exception):  # noqa: BLE001 - however a mutant goes wrong, it is found out
        return True
    return False


def calls(test: Any, fixtures: ModuleType) -> Iterator[Callable[[], object]]:
    """Yield a call of the test for each combination of its parameters."""
    given = {}
    if "machine" in signature(test).parameters:
        given["machine"] = fake_machine(fixtures)
    marks = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
    for chosen in product(*(mark.args[1] for mark in marks)):
        arguments = dict(given)
        for mark, values in zip(marks, chosen, strict=True):
            names = mark.args[0].split(",") if isinstance(mark.args[0], str) else mark.args[0]
            arguments |= dict(zip(names, values if len(names) > 1 else (values,), strict=True))
        yield lambda arguments=arguments: test(**arguments)


def fake_machine(fixtures: ModuleType) -> Callable[..., Any]:
    """Return what the fixture `machine` returns, on this copy of the core."""
    return lambda *costs, **fields: fixtures.FakeMachine(fixtures.forever(*costs), **fields)


@contextmanager
def replaced(modules: dict[str, ModuleType]) -> Iterator[None]:
    """Let imports find these modules, and as they were before afterwards."""
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


@contextmanager
def patience() -> Iterator[None]:
    """Raise where the block takes too long."""

    def give_up(*_: object) -> None:
        raise TimeoutError

    former = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, former)


@pytest.fixture(scope="session")
def make_mutant() -> Callable[..., Mutant]:
    """Return what makes a mutant."""
    return Mutant


@pytest.fixture(scope="session")
def copy_of() -> Callable[[Mutant | None], Copy]:
    """Return what makes a copy of the core with a mutant's change, or without any."""
    return Copy.of

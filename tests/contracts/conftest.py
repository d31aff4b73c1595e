"""The contract every operator keeps on every framework: the cases that the tests run over."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks import BUILT_IN, find_framework
from opperf.core.settings import Settings
from opperf.operators.registry import operators
from opperf.path import Attempt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.core.framework import Framework
    from opperf.core.limitation import Limitation
    from opperf.core.record import Outcome
    from opperf.operator import Operator

MEASURED = ("mxnet", "pytorch")
DTYPES = ("float32", "float64")
SIZES = ("small", "skewed")


@dataclass(frozen=True)
class Contract:
    """One operator, by one implementation, on one framework, in one dtype and size."""

    kind: type[Operator]
    framework_name: str
    fused: bool | None
    dtype: str
    size: str
    obey_limitations: bool = True

    def __str__(self) -> str:
        variant = {None: "", True: "fused-", False: "unfused-"}[self.fused]
        return f"{self.kind.name()}-{self.framework_name}-{variant}{self.dtype}-{self.size}"

    @property
    def framework(self) -> Framework:
        """The framework's front, which imports nothing by itself."""
        return find_framework(self.framework_name)

    @cached_property
    def operator(self) -> Operator:
        """The operator on this dtype and size."""
        return self.kind(inputs={"dtype": self.dtype}, size=self.size)

    @cached_property
    def attempt(self) -> Attempt:
        """The operator on the framework's tensors, checked but never timed."""
        self.framework.load(1)
        return Attempt(
            self.operator,
            self.framework,
            "cpu",
            Settings(),
            check_only=True,
            obey_limitations=self.obey_limitations,
        )

    def outcome(self, direction: str) -> Outcome:
        """Return how one direction ends."""
        return self.attempt.outcome(self.fused, direction)

    def is_limited(self, direction: str) -> bool:
        """Return whether the declaration or the framework's front says that this cannot be done."""
        return direction not in self.framework.directions or any(
            gap.holds(self.framework_name, self.dtype, direction, fused=self.fused)
            for gap in self.operator.limitations
        )

    def missing(self) -> str | None:
        """Return what this contract needs and the machine lacks."""
        if not self.framework.is_installed():
            return f"{self.framework_name} is not installed"
        if self.framework_name == "pytorch" and self.fused and not find_compiler():
            return "torch.compile needs a C++ compiler"
        return None


@cache
def find_compiler() -> str | None:
    """Return the C++ compiler that torch.compile would call."""
    return shutil.which(os.environ.get("CXX", "g++")) or shutil.which("clang++")


def contracts() -> list[Contract]:
    """Return every operator on every framework that has it, in two dtypes and two sizes.

    Compiling takes seconds, so what PyTorch compiles is checked in small only.
    """
    return [
        Contract(kind, framework, fused, dtype, size)
        for kind in operators().values()
        for framework in BUILT_IN
        for fused in ((True, False) if kind.fusable else (None,))
        for dtype in [dtype for dtype in DTYPES if dtype in kind.dtypes] or kind.dtypes[:1]
        for size in SIZES
        if find_framework(framework).implementation(kind, fused=fused) is not None
        and not (framework == "pytorch" and fused and size != "small")
    ]


def limitations() -> list[tuple[type[Operator], Limitation]]:
    """Return every known gap with the operator that has it."""
    return [(kind, gap) for kind in operators().values() for gap in kind.limitations]


def limited_rows(kind: type[Operator], gap: Limitation) -> list[tuple[Contract, str]]:
    """Return what a gap says cannot be done: contracts, each with a direction."""
    return [
        (Contract(kind, gap.framework, fused, dtype, "small", obey_limitations=False), direction)
        for fused in ((True, False) if kind.fusable else (None,))
        for dtype in gap.dtypes or [dtype for dtype in DTYPES if dtype in kind.dtypes]
        for direction in kind(inputs={"dtype": dtype}, size="small").directions()
        if gap.holds(gap.framework, dtype, direction, fused=fused)
    ]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each operator, and of each contract or limitation on installed frameworks."""
    if "kind" in metafunc.fixturenames:
        metafunc.parametrize("kind", list(operators().values()), ids=lambda kind: kind.name())
    if "fusable" in metafunc.fixturenames:
        fusable = [kind for kind in operators().values() if kind.fusable]
        metafunc.parametrize("fusable", fusable, ids=lambda kind: kind.name())
    if "closed_form" in metafunc.fixturenames:
        kinds = [k for k in operators().values() if k.gradient and k.category != "random"]
        metafunc.parametrize("closed_form", kinds, ids=lambda kind: kind.name())
    if "stateful" in metafunc.fixturenames:
        kinds = [k for k in operators().values() if any(t.state for t in k.tensors.values())]
        metafunc.parametrize("stateful", kinds, ids=lambda kind: kind.name())
    if "contract" in metafunc.fixturenames:
        chosen = contracts()
        params = [marked(contract) for contract in chosen]
        names = [str(contract) for contract in chosen]
        metafunc.parametrize("contract", params, indirect=True, ids=names, scope="module")
    if "limitation" in metafunc.fixturenames:
        gaps = limitations()
        rows = [(kind, gap, limited_rows(kind, gap)) for kind, gap in gaps]
        names = [f"{kind.name()}-{gap.framework}-{at}" for at, (kind, gap) in enumerate(gaps)]
        metafunc.parametrize("limitation", rows, ids=names)


def marked(contract: Contract) -> Any:
    """Return the contract, to be skipped where the machine lacks what it needs."""
    missing = contract.missing()
    return pytest.param(contract, marks=[pytest.mark.skip(reason=missing)] if missing else [])


@pytest.fixture(scope="module")
def contract(request: pytest.FixtureRequest) -> Iterator[Contract]:
    """Return one contract to several tests, and let go of its tensors after the last."""
    yield request.param
    vars(request.param).pop("attempt", None)


@pytest.fixture(params=MEASURED)
def measured(request: pytest.FixtureRequest) -> Framework:
    """Return each framework that is measured, loaded, or skip where it is not installed."""
    framework = find_framework(request.param)
    if not framework.is_installed():
        pytest.skip(f"{framework.name} is not installed")
    framework.load(1)
    return framework


@pytest.fixture
def compiler() -> None:
    """Skip where torch.compile would find no C++ compiler."""
    if not find_compiler():
        pytest.skip("torch.compile needs a C++ compiler")

"""The contract every operator keeps on every framework: the cases that the tests run over."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.limits import known_limitations
from opperf.core.frameworks.registry import BUILT_IN, find_framework
from opperf.declaring.registry import operators
from opperf.measuring.attempt import Attempt
from tests.contracts.attempts import Attempts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.limitation import Limitation
    from opperf.core.frameworks.requirement import Requirement
    from opperf.core.frameworks.variant import Variant
    from opperf.core.results.outcome import Outcome
    from opperf.declaring.declaration import Declaration

MEASURED = ("mxnet", "pytorch")
DTYPES = ("float32", "float64")
HALVES = ("float16", "bfloat16")
SIZES = ("small", "skewed")


@dataclass(frozen=True)
class Contract:
    """One operator, by one implementation, on one framework, in one dtype and size."""

    kind: type[Declaration]
    framework_name: str
    variant: Variant
    dtype: str
    size: str
    obey_limitations: bool = True

    def __str__(self) -> str:
        form = "" if self.variant == "only" else f"{self.variant}-"
        return f"{self.kind.name()}-{self.framework_name}-{form}{self.dtype}-{self.size}"

    @property
    def framework(self) -> Framework:
        """The framework's front, which imports nothing by itself."""
        return find_framework(self.framework_name)

    @cached_property
    def operator(self) -> Declaration:
        """The operator on this dtype and size."""
        return self.kind(inputs={"dtype": self.dtype}, size=self.size)

    @cached_property
    def attempt(self) -> Attempt:
        """The operator on the framework's tensors, checked but never timed."""
        return self.attempt_once()

    def attempt_once(self) -> Attempt:
        """Return an attempt whose tensors the contract does not hold."""
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
        return self.attempt.outcome(self.variant, direction)

    def is_limited(self, direction: str) -> bool:
        """Return whether the declaration or the framework's front says that this cannot be done."""
        return direction not in self.framework.directions or bool(self.known(direction))

    def known(self, direction: str) -> list[Limitation]:
        """Return the gaps that hold for this direction."""
        return known_limitations(self.operator, self.framework, direction, variant=self.variant)

    def required(self) -> list[Requirement]:
        """Return what this is known to need of the processor."""
        return [
            each
            for each in self.framework.requirements
            if each.holds(self.kind.name(), self.dtype, variant=self.variant)
        ]

    def shortage(self) -> str | None:
        """Return why this cannot be had with the instruction sets allowed here."""
        lacks = [self.framework.shortage(each.requires) for each in self.required()]
        return next((lack for lack in lacks if lack), None)

    def is_compiled(self) -> bool:
        """Return whether PyTorch fuses it by compiling it, which takes a compiler and seconds."""
        found = self.framework.implementation(self.kind, variant=self.variant)
        is_fused = self.framework_name == "pytorch" and self.variant == "fused"
        return is_fused and found is not None and found.compiles

    def missing(self) -> str | None:
        """Return what this contract needs and the machine lacks."""
        if not self.framework.is_installed():
            return f"{self.framework_name} is not installed"
        if self.is_compiled() and not find_compiler():
            return "torch.compile needs a C++ compiler"
        return None


@cache
def find_compiler() -> str | None:
    """Return the C++ compiler that torch.compile would call."""
    return shutil.which(os.environ.get("CXX", "g++")) or shutil.which("clang++")


def contracts() -> list[Contract]:
    """Return every operator in two dtypes and two sizes."""
    return [
        contract
        for kind in operators().values()
        for contract in contracts_of(
            kind, [dtype for dtype in DTYPES if dtype in kind.dtypes] or kind.dtypes[:1]
        )
    ]


def halves() -> list[Contract]:
    """Return every operator that has a half-precision form in those it has."""
    return [
        contract
        for kind in operators().values()
        for contract in contracts_of(kind, [dtype for dtype in HALVES if dtype in kind.dtypes])
    ]


def contracts_of(kind: type[Declaration], dtypes: Sequence[str]) -> list[Contract]:
    """Return an operator on every framework that has it, in these dtypes and two sizes.

    Compiling takes seconds, so what PyTorch compiles is checked in small only.
    """
    found = [
        Contract(kind, framework, variant, dtype, size)
        for framework in BUILT_IN
        for variant in kind.variants()
        for dtype in dtypes
        for size in SIZES
        if find_framework(framework).implementation(kind, variant=variant) is not None
    ]
    return [each for each in found if each.size == "small" or not each.is_compiled()]


def requirements() -> list[Contract]:
    """Return what needs an instruction set, in small."""
    return [
        Contract(operators()[name], framework, variant, dtype, "small", obey_limitations=False)
        for framework in MEASURED
        for need in find_framework(framework).requirements
        for name, variant in sorted(need.known)
        for dtype in need.dtypes
    ]


def limitations() -> list[tuple[type[Declaration], str, Limitation]]:
    """Return every known gap with its operator and framework."""
    return [
        (kind, name, gap)
        for kind in operators().values()
        for name in BUILT_IN
        for gap in find_framework(name).limitations(kind)
    ]


def limited_rows(
    kind: type[Declaration], framework: str, gap: Limitation
) -> list[tuple[Contract, str]]:
    """Return what a gap says cannot be done, at the smallest size: contracts with a direction."""
    usual = [dtype for dtype in DTYPES if dtype in kind.dtypes]
    dtypes = gap.dtypes or usual or kind.dtypes[:1]
    sizes = {dtype: gap.smallest_size(kind, dtype) for dtype in dtypes}
    contracts = [
        Contract(kind, framework, variant, dtype, size, obey_limitations=False)
        for variant in kind.variants()
        for dtype, size in sizes.items()
        if size is not None
    ]
    return [
        (contract, direction)
        for contract in contracts
        for direction in contract.operator.directions()
        if gap.holds(contract.dtype, direction, variant=contract.variant)
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
    for name, choose in (("contract", contracts), ("half", halves), ("required", requirements)):
        if name in metafunc.fixturenames:
            chosen = choose()
            params = [marked(contract) for contract in chosen]
            names = [str(contract) for contract in chosen]
            metafunc.parametrize(name, params, indirect=True, ids=names, scope="module")
    if "limitation" in metafunc.fixturenames:
        gaps = limitations()
        rows = [(kind, gap, limited_rows(kind, name, gap)) for kind, name, gap in gaps]
        names = [f"{kind.name()}-{name}-{at}" for at, (kind, name, _) in enumerate(gaps)]
        metafunc.parametrize("limitation", rows, ids=names)


@pytest.fixture
def works() -> Contract:
    """Return a contract without a gap."""
    return Contract(operators()["Add"], "numpy", "only", "float64", "small", obey_limitations=False)


@pytest.fixture(scope="module")
def attempts() -> Iterator[Attempts]:
    """Return a process for attempts that may end it."""
    made = Attempts()
    yield made
    made.close()


def marked(contract: Contract) -> Any:
    """Return the contract, to be skipped where the machine lacks what it needs."""
    missing = contract.missing()
    return pytest.param(contract, marks=[pytest.mark.skip(reason=missing)] if missing else [])


@pytest.fixture
def half(request: pytest.FixtureRequest) -> Contract:
    """Return one contract in half precision."""
    found: Contract = request.param
    return found


@pytest.fixture
def required(request: pytest.FixtureRequest) -> Contract:
    """Return one contract that needs an instruction set."""
    found: Contract = request.param
    return found


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

"""Operators of the user's own as tests: those that plug-ins and conftest.py declare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.frameworks.registry import MEASURED, find_framework
from opperf.declaring.declaration import DECLARED
from opperf.declaring.registry import operators
from opperf.pytest_plugin.fixture import OpperfFixture
from opperf.running.operator import Operator

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from opperf.pytest_plugin.session import MeasuringSession

OWN = "opperf."


class OperatorItem(pytest.Item):
    """One operator on one framework, at size small."""

    def __init__(
        self, *, operator: type[Operator], framework: str, measuring: MeasuringSession, **given: Any
    ) -> None:
        super().__init__(**given)
        self.operator = operator
        self.framework = framework
        self.measuring = measuring

    def runtest(self) -> None:
        """Check and measure it."""
        fixture = OpperfFixture(self.measuring, self)
        found = fixture.operator(self.operator, framework=self.framework, size="small")
        if all(result.status == "unsupported" for result in found):
            pytest.skip(f"{self.framework} has no implementation of it")

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where it is declared."""
        return self.path, None, self.name


def operator_items(session: pytest.Session, measuring: MeasuringSession) -> Iterator[OperatorItem]:
    """Yield a test for each operator of the user's own on each framework that has it."""
    operators()  # which loads plug-ins
    installed = [name for name in MEASURED if find_framework(name).is_installed()]
    for module, declared in DECLARED.items():
        if module.startswith(OWN):
            continue
        for operator in declared.values():
            if not issubclass(operator, Operator):
                continue
            for framework in installed:
                yield OperatorItem.from_parent(
                    session,
                    name=f"{operator.name()}[{framework}]",
                    operator=operator,
                    framework=framework,
                    measuring=measuring,
                )

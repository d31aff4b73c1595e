"""A plug-in written for opperf before 2026-11-23 is told the spelling of today, in one line."""

from __future__ import annotations

from importlib import import_module

import pytest

from opperf.core.errors import UsageError
from opperf.declaring.registry import operators, place_of
from opperf.legacy.declarations import MODULES, NAMES, imports_of_today
from opperf.nd import Exp

HEAD = "from opperf.declaring.elementwise import Unary\nimport numpy as np\n"
LIMITATION = "from opperf.core.frameworks.limitation import Limitation\n"
OLDER = {
    "from opperf.operator import Operator": "opperf.operator is opperf.declaring.declaration",
    "from opperf.operators.elementwise import Unary": "is opperf.declaring.elementwise",
    "from opperf.operators.absence import ONLY_MXNET": "native(...).limited(Limitation(...))",
    "from opperf.operators.arithmetic import Add": "Add of opperf.operators.arithmetic is in "
    "opperf.operators.arithmetic.arithmetic",
    "from opperf.operators.activation import Gelu": "Gelu of opperf.operators.activation is in "
    "opperf.operators.activation.activation",
    "from opperf.declaring.moving import moved": "moved of opperf.declaring.moving is "
    "gather_gradient",
    f"{LIMITATION}Limitation(framework='mxnet', words='no')": "a limitation stands in TABLES",
    f"{LIMITATION}Limitation(fused=True, words='no')": "say variant=... in place of fused=",
    f"{HEAD}class Base(Unary):\n    tensors = {{}}": "says abstract=True",
    f"{HEAD}class One(Unary):\n    reference = np.exp\n    limitations = ()": "One states `limit",
    f"{HEAD}class Two(Unary):\n    reference = np.exp\n"
    "    def check_outputs(self, actual, expected, arrays, *, training): ...": "takes one value",
    f"{HEAD}class Three(Unary):\n    reference = np.exp\n    declared = None": "is `table_class`",
}


@pytest.mark.parametrize("text", OLDER)
def test_what_has_moved_is_named(text: str) -> None:
    """Never a traceback, nor an attribute that is silently ignored."""
    assert operators()
    with pytest.raises(UsageError) as caught, imports_of_today(place_of):
        exec(text, {"__name__": "of_a_plug_in"})  # noqa: S102 - a plug-in's module is code
    assert OLDER[text] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_table_of_an_older_framework_finds_its_operators() -> None:
    """It lists `Exp.declared()`, of the class that is bound to be run."""
    assert Exp.declared() is Exp.table_class() is operators()["Exp"]


def test_the_modules_named_exist() -> None:
    """The new place is a module, unless it says that the thing is gone."""
    for today in MODULES.values():
        name = today.partition(",")[0]
        if not name.startswith("gone"):
            __import__(name)


def test_the_names_of_today_exist() -> None:
    """Each is what some module of the base classes of declarations calls it."""
    modules = {name for name in MODULES.values() if name.startswith("opperf.declaring.")}
    held = {name for module in modules if "," not in module for name in vars(import_module(module))}
    assert set(NAMES.values()) <= held
    assert not set(NAMES) & held


@pytest.mark.parametrize("text", ["import opperf.nonsense", "raise TypeError('other')"])
def test_another_error_stays_what_it_is(text: str) -> None:
    """What opperf knows nothing of is not explained."""
    with pytest.raises((ImportError, TypeError)), imports_of_today(place_of):
        exec(text, {})  # noqa: S102 - likewise

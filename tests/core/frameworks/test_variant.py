"""The variants of an operator by name, what a record keeps of them, and what was said before."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any, get_args

import pytest

from opperf.core.errors import UsageError
from opperf.core.frameworks.implementation import Fusable
from opperf.core.frameworks.limitation import Limitation
from opperf.core.frameworks.registry import find_framework, framework_of
from opperf.core.frameworks.variant import RECORDED, TODAY, Variant, as_recorded, variant_of
from opperf.operators.fused.residual import AddReLU

if TYPE_CHECKING:
    from pathlib import Path

YESTERDAY = """
from opperf.core.frameworks.limitation import Limitation
from opperf.numpy_benchmarks.framework import NumPy

class Older(NumPy):
    name = "older"
    {body}

FRAMEWORK = Older()
"""
BODIES = {
    "def implementation(self, operator, *, fused): return None": "Older, `implementation`",
    "limit = Limitation(words='no', fused=True)": "a variant is",
    "found = NumPy().implementation(None, fused=None)": "a variant is",
}


@pytest.mark.parametrize(
    ("variant", "fused"), [("only", None), ("fused", True), ("unfused", False)]
)
def test_a_record_keeps_what_its_readers_know(variant: Variant, fused: bool | None) -> None:
    """Each variant is one value of a record's `fused`, and back."""
    assert as_recorded(variant) is fused
    assert variant_of(fused) == variant


def test_each_variant_has_its_value() -> None:
    """None is missing, and no two have the same."""
    assert tuple(RECORDED) == get_args(Variant)
    assert len({*RECORDED.values()}) == len(RECORDED)


@pytest.mark.parametrize("older", [True, False, None, "Fused"])
def test_what_is_no_variant_is_refused(older: Any) -> None:
    """False in place of "unfused" would else be taken for the fused form, whose time it is not."""
    front = find_framework("mxnet")
    assert isinstance(front.table[AddReLU], Fusable)
    for ask in (as_recorded, lambda variant: front.implementation(AddReLU, variant=variant)):
        with pytest.raises(UsageError, match=r"unknown variant .*allowed: fused, only, unfused"):
            ask(older)


def test_a_limitation_of_no_variant_is_refused() -> None:
    """It would never hold."""
    for variant in ("Fused", True):
        with pytest.raises(UsageError, match="unknown variant"):
            Limitation(words="no", variant=variant)  # type: ignore[arg-type]
    assert Limitation(words="no").holds("float32", "forward", variant="unfused")


@pytest.mark.parametrize("body", BODIES)
def test_a_framework_of_yesterday_is_told_the_spelling_of_today(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, with the plug-in's name, when it is loaded and not when it is asked."""
    name = f"opperf_older_{[*BODIES].index(body)}"
    tmp_path.joinpath(f"{name}.py").write_text(YESTERDAY.format(body=body))
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint(name="older", value=f"{name}:FRAMEWORK", group="opperf.frameworks")
    with pytest.raises(UsageError) as caught:
        framework_of(point)
    said = str(caught.value)
    assert "plug-in 'older'" in said
    assert BODIES[body] in said
    assert TODAY in said
    assert "\n" not in said


def test_another_error_of_a_plug_in_stays_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another keyword that is unknown is not explained by variants."""
    tmp_path.joinpath("opperf_wrong.py").write_text("dict(1, 2)")
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint(name="wrong", value="opperf_wrong:FRAMEWORK", group="opperf.frameworks")
    with pytest.raises(UsageError, match="dict expected at most 1 argument"):
        framework_of(point)

"""What a user may give for an input, and what is refused with words that help."""

from __future__ import annotations

import math

import numpy as np
import pytest

from opperf.core.errors import UsageError, quote
from opperf.core.tensors.inputs import merge_inputs, require_dictionary

DEFAULTS = {
    "lhs": (4, 4),
    "axis": 1,
    "eps": 1e-5,
    "dtype": "float32",
    "run_backward": True,
    "initializer": len,
}


@pytest.mark.parametrize(
    ("name", "given", "stored"),
    [
        ("lhs", (2, 3), (2, 3)),
        ("lhs", [2, 3], (2, 3)),
        ("lhs", 7, (7,)),
        ("lhs", np.int64(7), (7,)),
        ("lhs", (), ()),
        ("lhs", (np.int32(2), 3), (2, 3)),
        ("axis", -1, -1),
        ("axis", np.int8(1), 1),
        ("axis", 2**63 - 1, 2**63 - 1),
        ("eps", 1, 1.0),
        ("eps", np.float32(0.5), 0.5),
        ("dtype", "float64", "float64"),
        ("dtype", np.float64, "float64"),
        ("dtype", np.dtype("float64"), "float64"),
        ("dtype", np.dtype("int8"), "int8"),
        ("run_backward", False, False),
        ("initializer", "uniform", "uniform"),
    ],
)
def test_a_given_value_takes_the_kind_of_the_default(
    name: str, given: object, stored: object
) -> None:
    """Lists become shapes, whole numbers floats where one is meant, NumPy's numbers Python's."""
    merged = merge_inputs("Op", DEFAULTS, {name: given})
    assert merged[name] == stored
    assert type(merged[name]) is type(stored)
    assert merged == {**DEFAULTS, name: stored}


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("lhs", "64", "must be a shape"),
        ("lhs", None, "must be a shape"),
        ("lhs", (2.0, 3), "must be a shape"),
        ("lhs", (True, 3), "must be a shape"),
        ("lhs", True, "must be a shape"),
        ("lhs", (1,) * 33, "has 33 dimensions; give 32 at the most"),
        ("axis", 10**30, "must be a whole number below 2**63"),
        ("axis", -(10**30), "must be a whole number below 2**63"),
        ("lhs", {2, 3}, "must be a shape"),
        ("lhs", (0, 3), "at least 1"),
        ("lhs", (3, -1), "at least 1"),
        ("lhs", 0, "at least 1"),
        ("lhs", (2**32, 2**32), "more than"),
        ("lhs", (10**400,), "more than"),
        ("axis", 1.0, "whole number"),
        ("axis", True, "whole number"),
        ("axis", "1", "whole number"),
        ("axis", math.nan, "whole number"),
        ("eps", math.nan, "finite number"),
        ("eps", -math.inf, "finite number"),
        ("eps", np.float64("nan"), "finite number"),
        ("eps", 10**400, "finite number"),
        ("eps", "1e-5", "finite number"),
        ("eps", None, "finite number"),
        ("eps", False, "finite number"),
        ("run_backward", 1, "True or False"),
        ("run_backward", "yes", "True or False"),
        ("run_backward", None, "True or False"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(name: str, value: object, rule: str) -> None:
    """The error names the operator, the input, the value and the rule."""
    with pytest.raises(UsageError) as caught:
        merge_inputs("Op", DEFAULTS, {name: value})
    text = str(caught.value)
    assert text.startswith(f"Op: {name}={quote(value)}: ")
    assert rule in text


def test_an_unknown_name_is_told_with_its_nearest_match() -> None:
    """The error names the operator, the name, what is near and all that is allowed."""
    with pytest.raises(UsageError) as caught:
        merge_inputs("Op", DEFAULTS, {"epz": 1})
    text = str(caught.value)
    assert "'epz'" in text
    assert "Op" in text
    assert "did you mean 'eps'?" in text
    assert all(name in text for name in DEFAULTS)


@pytest.mark.parametrize("given", [5, "lhs", [("lhs", (3, 3))], {"lhs"}])
def test_inputs_that_are_no_dictionary_are_refused(given: object) -> None:
    """Values without names cannot be told apart."""
    with pytest.raises(UsageError, match="must be a dictionary"):
        require_dictionary("Op", given)


def test_neither_mapping_is_changed() -> None:
    """Merging leaves the defaults and what was given as they were."""
    defaults, given = dict(DEFAULTS), {"lhs": [2, 2]}
    merged = merge_inputs("Op", defaults, given)
    merged["axis"] = 5
    assert (defaults, given) == (DEFAULTS, {"lhs": [2, 2]})


def test_the_order_of_the_defaults_is_kept() -> None:
    """Inputs are shown in the order they are declared, whatever the order they are given in."""
    merged = merge_inputs("Op", DEFAULTS, {"run_backward": False, "axis": 0, "lhs": 3})
    assert list(merged) == list(DEFAULTS)

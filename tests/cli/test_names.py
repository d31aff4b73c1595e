"""Operators are named as a user types them: behind the verb, between flags, of a category."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

NUMPY = ("--framework", "numpy", "--size", "small", "--dry-run", "--format", "json")


def test_names_stand_on_both_sides_of_flags(call: Any) -> None:
    """Python's argparse alone takes those of one place."""
    done = call("run", "Add", *NUMPY[:2], "Exp", *NUMPY[2:], "Log")
    assert done.returncode == 0, done.stderr
    assert sorted(row["operator"] for row in json.loads(done.stdout)) == ["Add", "Exp", "Log"]


def test_a_wrong_flag_between_names_is_refused(call: Any) -> None:
    """The names beside it are no excuse."""
    done = call("run", "Add", "--sizes", "Exp")
    assert done.returncode == 2
    assert "--sizes" in done.stderr.splitlines()[-1]


def test_a_comparison_takes_names(call: Any) -> None:
    """As a run does, and -k chooses among them."""
    arms = ("--a", ".", "--b", "OPENBLAS_CORETYPE=Haswell")
    done = call("ab", "Exp", *arms, "add", *NUMPY, "-k", "not name=Exp")
    assert done.returncode == 0, done.stderr
    assert {row["operator"] for row in json.loads(done.stdout)} == {"Add"}
    done = call("ab", "Addd", *arms, *NUMPY)
    assert (done.returncode, "did you mean 'Add'?" in done.stderr) == (2, True)


@pytest.mark.parametrize("flag", ["task", "method", "model", "spec", "calls"])
def test_what_compares_no_operators_takes_no_names(call: Any, tmp_path: Path, flag: str) -> None:
    """In one line, before anything is looked for."""
    done = call("ab", "Add", f"--{flag}", "other", "--a", ".", "--b", ".")
    assert done.returncode == 2
    assert f"Add: no operator goes with --{flag}" in done.stderr.splitlines()[-1]
    assert [*tmp_path.iterdir()] == []


def test_a_list_takes_names(call: Any) -> None:
    """Operators, categories and tags; what counts all operators takes none."""
    done = call("list", "gemm", "--format", "json", "Softmax")
    assert done.returncode == 0, done.stderr
    found = {row["name"]: row["category"] for row in json.loads(done.stdout)}
    assert found.pop("Softmax") != "gemm"
    assert {*found.values()} == {"gemm"}
    done = call("list", "Add", "--coverage")
    assert done.returncode == 2
    assert re.search("counts all operators; leave out Add$", done.stderr.rstrip())

"""Names of folders: themselves where that is safe, else marked, and no two alike."""

from __future__ import annotations

from itertools import combinations

import pytest

from opperf.specs.reporters.names import LONGEST, folder_name, folding

HOSTILE = [
    "", ".", "..", "...", "../..", "/", "/etc/passwd", "a/b", "a\\b", "a:b", "a b", " a", "a ",
    "a.", "-rf", ".git", "~", "a~b", "con", "NUL.txt", "lpt1", "a\0b", "a\nb", "a\x1b[2Jb",
    "\u202eabc", "x" * 300, "x" * 301, "é" * 60, "cafe\u0301", "\udcff", "*", "?", "a|b", '"', "'",
    "$HOME", "`id`",
]  # fmt: skip
PLAIN = ["squeezenet", "ResNet-50", "v1.2", "_", "x86_64", "0", "1x3x224", "k=5", "café", "模型"]


@pytest.mark.parametrize("name", PLAIN)
def test_a_usual_name_is_kept(name: str) -> None:
    """What a person has called it is what a person looks for."""
    assert folder_name(name) == name


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_changed_and_marked(name: str) -> None:
    """It is one name of one folder, on any file system, and no option of a command."""
    found = folder_name(name)
    assert found != name
    assert "~" in found
    assert found.strip("-.") == found
    assert all(each.isalnum() or each in "-._+=@,~" for each in found)
    assert len(found.encode()) <= LONGEST


def test_no_two_names_have_one_folder() -> None:
    """Not even where case or the way accents are written makes no difference."""
    names = [folding(folder_name(name)) for name in (*HOSTILE, *PLAIN)]
    assert [pair for pair in combinations(names, 2) if pair[0] == pair[1]] == []


@pytest.mark.parametrize(("first", "second"), [("add", "Add"), ("café", "CAFÉ"), ("ﬁt", "fit")])
def test_a_name_that_differs_in_its_case_only_is_marked(first: str, second: str) -> None:
    """It would be the other's folder on a file system that ignores case."""
    marked = folder_name(second, [first])
    assert folding(marked) != folding(first)
    assert folder_name(first, [first, marked]) == first
    assert folder_name(second, [first, marked]) == marked

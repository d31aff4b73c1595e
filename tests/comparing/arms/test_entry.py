"""One of several arms: what NAME=SPEC stands for, and what it does not."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from opperf.comparing.arms.entry import parse_entries, parse_entry
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("new=torch==2.13.0", {"name": "new", "requirements": ("torch==2.13.0",)}),
        ("a=torch>=2.1,<2.3,!=2.2.1", {"requirements": ("torch>=2.1,<2.3,!=2.2.1",)}),
        ("a=torch==2.13.0,numpy<2", {"requirements": ("torch==2.13.0", "numpy<2")}),
        ("a='torch[extra,more]==2.13.0'", {"requirements": ("torch[extra,more]==2.13.0",)}),
        ("a=.,threads=2", {"threads": 2, "requirements": (), "python": sys.executable}),
        (f"a=python={sys.executable}", {"python": sys.executable}),
        (f"a={sys.executable}, dtype=float16", {"python": sys.executable, "dtype": "float16"}),
        ("a=compile=true", {"compile": True}),
        ("a=compile=false", {"compile": False}),
        ("a=env.X=1,env.Y='p,q r'", {"variables": {"X": "1", "Y": "p,q r"}}),
        ("a=env.X=a=b", {"variables": {"X": "a=b"}, "text": "env.X=a=b"}),
        ("a=env.X=", {"variables": {"X": ""}}),
        ("3.12_new-x=.", {"name": "3.12_new-x"}),
    ],
)
def test_words_between_commas(text: str, fields: dict[str, object]) -> None:
    """A version's further bounds belong to the word before them."""
    entry = parse_entry(text)
    assert {name: getattr(entry, name) for name in fields} == fields


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("torch", "--arm 'torch': must be NAME=SPEC"),
        ("torch==2.13.0", "must be NAME=SPEC, such as new=torch==2.13.0"),
        ("=.", "must be NAME=SPEC"),
        ("a b=.", "must be NAME=SPEC"),
        (f"{'x' * 25}=.", "24 at most"),
        ("a=", "arm a is empty; give . for this python"),
        ("a=,", "arm a is empty"),
        ("a='x", "arm a: No closing quotation; quote it as a shell does"),
        ("a=thread=2", "unknown setting 'thread' of arm a; did you mean 'threads'? allowed:"),
        ("a=OMP_NUM_THREADS=2", "a variable is env.OMP_NUM_THREADS=2"),
        ("a=threads=0", "threads=0: must be a whole number from 1 to 4096"),
        ("a=threads=two", "threads=two: must be a whole number"),
        ("a=threads=1,threads=2", "arm a: threads is given twice"),
        ("a=dtype=float15", "unknown dtype 'float15' of arm a; did you mean 'float16'?"),
        ("a=compile=yes", "unknown compile 'yes' of arm a; allowed: false, true"),
        ("a=python=/nowhere", "python=/nowhere cannot be executed"),
        ("a=./nowhere", "there is no nowhere"),
        ("a=--index-url", "'--index-url' is none of: . for this python"),
        ("a=env.1x=2", "'1x' is no name of a variable"),
        ("a=env.X", "'env.X' has no value; give env.X=value"),
        ("a=env.API_TOKEN=x", "looks like a secret"),
        (f"a=.,{sys.executable}", "names 2 interpreters; give one"),
    ],
)  # fmt: skip
def test_what_is_no_arm_is_one_line(text: str, said: str) -> None:
    """It names the arm, the word, and what is allowed."""
    with pytest.raises(UsageError) as error:
        parse_entry(text)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_the_first_arm_is_the_reference_unless_another_is_named() -> None:
    """It comes first, the others as they were given."""
    texts = ["a=.", "b=threads=2", "c=compile=true"]
    assert [*parse_entries(texts, None)] == ["a", "b", "c"]
    assert [*parse_entries(texts, "c")] == ["c", "a", "b"]


@pytest.mark.parametrize(
    ("texts", "reference", "said"),
    [
        (["a=."], None, "--arm: 1 given; a comparison has 2 to 8 arms"),
        ([f"a{n}=." for n in range(9)], None, "--arm: 9 given"),
        (["a=.", "a=threads=2"], None, "--arm a: is given twice"),
        (["new=.", "old=."], "nwe", "unknown --reference 'nwe'; did you mean 'new'?"),
    ],
)
def test_arms_that_are_no_comparison(texts: list[str], reference: str | None, said: str) -> None:
    """Too few, too many, two of a name, or a reference that is none."""
    with pytest.raises(UsageError, match=said):
        parse_entries(texts, reference)


def test_a_source_tree_is_an_arm(tmp_path: Path) -> None:
    """As of two arms."""
    (tmp_path / "setup.py").touch()
    assert parse_entry(f"mine={tmp_path}").requirements == (str(tmp_path),)

"""Cells for programs that would take some texts for something else."""

from __future__ import annotations

import pytest

from opperf.reporting.escaping import csv_cell, markdown


@pytest.mark.parametrize("opening", ["=", "+", "-", "@", "\t", "\r", " =", "\x1b=", "\uff1d"])
def test_a_text_that_opens_a_formula_is_disarmed(opening: str) -> None:
    """Also where the control character before it goes, or the sign is full-width."""
    cell = csv_cell(f"{opening}cmd()")
    assert isinstance(cell, str)
    assert cell.startswith("'")
    assert cell.isprintable()


@pytest.mark.parametrize("value", [-1, -1.5e-9, 0, 3, None])
def test_numbers_stay_numbers(value: float | None) -> None:
    """A minus opens no formula there, and missing stays missing."""
    assert csv_cell(value) is value


@pytest.mark.parametrize(
    ("value", "cell"),
    [(True, "true"), (False, "false"), (["small", "=x"], "small, =x"), (["=x"], "'=x"), ([], "")],
)
def test_truths_and_sequences_are_texts(value: object, cell: str) -> None:
    """Truths as in JSON, items after commas."""
    assert csv_cell(value) == cell


def test_an_ordinary_text_is_left_alone() -> None:
    """Most are."""
    assert csv_cell("lhs(4,64) k=10") == "lhs(4,64) k=10"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", r"a\|b"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("[x](y) *z* `c` \\", r"\[x\](y) \*z\* \`c\` \\"),
        ("no_interval", "no_interval"),
        ("__init__", r"\_\_init\_\_"),
        ("a\nb", "a b"),
        ('"quoted"', '"quoted"'),
        ("~~gone~~", r"\~\~gone\~\~"),
        ("thanks @octocat", "thanks @<!-- -->octocat"),
        ("see https://example.org", "see https<!-- -->://example.org"),
        ("WWW.example.org", "WWW<!-- -->.example.org"),
        ("a @ b, 1 https", "a @ b, 1 https"),
        ("o/r#7 gh-8", "o/r#<!-- -->7 gh-<!-- -->8"),
        ("!7 $7 %7 ~7 &7", "!<!-- -->7 $<!-- -->7 %<!-- -->7 ~<!-- -->7 &amp;<!-- -->7"),
        ("a # 1 100% & 5", "a # 1 100% &amp; 5"),
    ],
)
def test_markdown_shows_a_text_as_it_is(text: str, shown: str) -> None:
    """No markup, no link, no column and no row more; underscores within words need nothing."""
    assert markdown(text) == shown

"""Carrying a bisection out, with sessions that are made up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from opperf.commits.bisection.answer import NAMED, RANGE, answer_of
from opperf.commits.bisection.environments import UnbuildableError
from opperf.commits.bisection.hunt import Hunt
from opperf.commits.bisection.measurement import SessionRatios
from opperf.commits.bisection.state import begin, holding_state
from opperf.commits.bisection.wording import answer_fields, answer_lines
from opperf.core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.commits.bisection.state import Candidate

COUNT = 16


@dataclass
class Made:
    """Commits whose time is 8 % longer from one on; some have no build, some fail when called."""

    at: int = 6
    unbuildable: frozenset[int] = frozenset()
    failing: frozenset[int] = frozenset()
    most: int = 1000
    measured: list[tuple[int, int]] = field(default_factory=list)
    declares_operators: bool = True

    def python_of(self, candidate: Candidate) -> str:
        """Return what stands for an interpreter: the number."""
        at = int(candidate.name, 16)
        if at in self.unbuildable:
            raise UnbuildableError("no compiler")
        return str(at)

    def measure(self, number: int, pythons: tuple[str, str]) -> SessionRatios:
        """Return what a session finds."""
        if len(self.measured) >= self.most:
            raise KeyboardInterrupt
        low, high = map(int, pythons)
        self.measured.append((low, high))
        failures = {
            arm: "it died" for arm, at in (("low", low), ("high", high)) if at in self.failing
        }
        if failures:
            return SessionRatios(failures=failures)
        off = ((number * 37) % 11 - 5) / 1000
        ratio = 0.08 * (low < self.at <= high) + off
        return SessionRatios(rows={"one": ratio, "other": ratio})


def hunt(folder: Path, made: Made, said: list[str] | None = None, **options: Any) -> Hunt:
    """Carry a bisection out in a folder that holds one."""
    tell = said.append if said is not None else lambda _: None
    with holding_state(folder) as state:
        made_hunt = Hunt(state=state, environments=made, measure=made.measure, tell=tell, **options)
        made_hunt.run(made_hunt.search.next)
        return made_hunt


def test_the_commit_is_found_and_each_step_said(tmp_path: Path, make_request: Any) -> None:
    """With what was compared, what came of it, and why."""
    begin(tmp_path, make_request(COUNT))
    said: list[str] = []
    found = hunt(tmp_path, Made(), said)
    answer = answer_of(found.search)
    assert (answer.kind, answer.span) == (NAMED, (5, 6))
    assert len(said) == found.search.sessions
    assert "BAD 000000000000 against GOOD 000000000000" in said[0]
    assert "do GOOD and BAD differ at all?" in said[0]
    lines = answer_lines(answer, found.search, found.state.request)
    assert lines[0].startswith("the change came with 000000000000 (Note 6), probability ")
    fields = answer_fields(answer, found.search, found.state.request)
    assert fields["found"]["candidates"] == [f"{6:040x}"]


def test_an_interrupted_one_goes_on_as_if_nothing_had_been(
    tmp_path: Path, make_request: Any
) -> None:
    """Wherever it ended: the same sessions in the same order, none twice."""
    begin(tmp_path / "whole", make_request(COUNT))
    whole = Made()
    hunt(tmp_path / "whole", whole)
    for most in range(0, len(whole.measured), 4):
        folder = tmp_path / str(most)
        begin(folder, make_request(COUNT))
        first, second = Made(most=most), Made()
        with pytest.raises(KeyboardInterrupt):
            hunt(folder, first)
        hunt(folder, second)
        assert [*first.measured, *second.measured] == whole.measured


def test_commits_that_do_not_build_are_left_out(tmp_path: Path, make_request: Any) -> None:
    """The answer is then a range, which says so."""
    begin(tmp_path, make_request(COUNT))
    said: list[str] = []
    found = hunt(tmp_path, Made(unbuildable=frozenset({4, 5, 6, 7, 8})), said)
    answer = answer_of(found.search)
    assert (answer.kind, answer.span) == (NAMED, (3, 9))
    assert any("left out" in line and "no compiler" in line for line in said)
    text = "\n".join(answer_lines(answer, found.search, found.state.request))
    assert "the change came with one of these 6 commits" in text
    assert text.count("which cannot be measured") == 5
    assert "5 left out" in text


def test_one_that_fails_twice_is_left_out(tmp_path: Path, make_request: Any) -> None:
    """Once may be the machine's fault; the failed sessions count for nothing."""
    begin(tmp_path, make_request(COUNT))
    made = Made(failing=frozenset({8}))
    found = hunt(tmp_path, made)
    assert found.search.left_out == {8}
    assert sum(8 in pair for pair in made.measured) == 2
    assert answer_of(found.search).span == (5, 6)


@pytest.mark.parametrize(("at", "name"), [(0, "GOOD"), (COUNT, "BAD")])
def test_without_its_ends_there_is_nothing_to_compare(
    tmp_path: Path, make_request: Any, at: int, name: str
) -> None:
    """Whether it does not build or fails when called."""
    for kind in ("unbuildable", "failing"):
        begin(tmp_path / kind, make_request(COUNT))
        with pytest.raises(UsageError, match=f"^{name}, .* cannot be measured: "):
            hunt(tmp_path / kind, Made(**{kind: frozenset({at})}))


def test_when_the_time_is_up_there_is_a_range(tmp_path: Path, make_request: Any) -> None:
    """And more time goes on from there."""
    begin(tmp_path, make_request(COUNT, most=12))
    found = hunt(tmp_path, Made())
    answer = answer_of(found.search)
    assert answer.kind == RANGE
    text = "\n".join(answer_lines(answer, found.search, found.state.request))
    assert "go on with --resume" in text
    assert answer_of(hunt(tmp_path, Made(), most=100).search).kind == NAMED
    begin(tmp_path / "late", make_request(COUNT))
    late = hunt(tmp_path / "late", Made(), seconds=-1.0)
    assert late.search.sessions == 0
    assert "undecided" in answer_lines(answer_of(late.search), late.search, late.state.request)[0]


def test_nothing_found_is_said_with_its_interval(tmp_path: Path, make_request: Any) -> None:
    """The answer to whoever suspects a change that is none."""
    begin(tmp_path, make_request(COUNT))
    found = hunt(tmp_path, Made(at=COUNT + 1))
    lines = answer_lines(answer_of(found.search), found.search, found.state.request)
    assert lines[0].startswith("no slow-down between 000000000000 and 000000000000: ")
    assert "95 %" in lines[0]

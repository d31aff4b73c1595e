"""Which methods are meant: by dotted path, by filter, in lists; and what a wrong name is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from opperf.cli.command import command
from opperf.core.errors import UsageError
from opperf.methods.choice import find_methods, split_names
from opperf.methods.process import Surroundings
from tests.conftest import told

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("folder")


def test_commas_separate_names_and_not_what_is_in_brackets() -> None:
    """So that a filter may say how often."""
    texts = ["a.B.c, a.B.d", "a.B.filter:x{1,2},a.B.filter:(y|[,])z"]
    assert split_names(texts) == ["a.B.c", "a.B.d", "a.B.filter:x{1,2}", "a.B.filter:(y|[,])z"]


@pytest.mark.parametrize("text", ["", "a.B.c,", ",", "a.B.filter:(", "a.B.filter:*"])
def test_an_empty_name_or_a_wrong_filter_is_refused_before_anything_is_imported(text: str) -> None:
    """In one line."""
    with pytest.raises(UsageError, match=r"an empty name|no regular expression"):
        split_names([text])


def test_a_filter_takes_what_it_matches_from_the_beginning_on() -> None:
    """In alphabetical order, each method once; a base's own tools are no benchmarks."""
    several = ["own.Fine.filter:benchmark_", "pack.foreign.Plain.filter:."]
    names = ["own.Fine.benchmark_silent", *several]
    assert find_methods(names, Surroundings()) == [
        "own.Fine.benchmark_silent",
        "own.Fine.benchmark_folders",
        "own.Fine.benchmark_holds",
        "own.Fine.benchmark_report",
        "own.Fine.benchmark_untimed",
        "pack.foreign.Plain.benchmark_by_position",
    ]
    assert find_methods(["own.Fine.filter:elp|help"], Surroundings()) == ["own.Fine.helper"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "own.Fine.benchmark_reprot",
            "unknown method 'benchmark_reprot' of own.Fine; did you mean ",
        ),
        (
            "own.Fime.benchmark_report",
            "'Fime' in own; did you mean 'Fine'? allowed: Bad, Benchmark",
        ),
        ("owm.Fine.benchmark_report", "unknown module or class 'owm'; did you mean 'own'?"),
        ("pack.foriegn.Plain.x", "'foriegn' in pack; did you mean 'foreign'?"),
        (
            "own.Fine.filter:zz",
            "filter:zz matches no method of own.Fine; it has: benchmark_folders",
        ),
        ("own.Fine", "must be module.Class.method"),
        ("own", "must be module.Class.method"),
        ("own..x", "must be module.Class.method"),
        ("os.path.join.x", "os.path.join is a function; must be a class"),
        ("own.Fine.output.x", "unknown name 'output' in own.Fine"),
        ("broken.A.b", "broken cannot be imported: ModuleNotFoundError: No module named 'no_such"),
        ("ending.A.b", "cannot import ending.A.b: it ended with status 5"),
    ],
)
def test_a_wrong_name_is_told_the_nearest(
    name: str, said: str, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """In one line, before any method is run; importing what ends its process harms nobody."""
    assert command(["method", "own.Fine.benchmark_report", name], None) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert (captured.out, len(told(captured.err))) == ("", 1)
    assert not (folder / "runs").exists()


def test_what_is_meant_can_be_listed(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Without running any of it."""
    assert command(["method", "own.Bad.filter:[ce]", "--list", "--format", "csv"], None) == 0
    assert capsys.readouterr().out.split() == [
        "method", "own.Bad.crashes", "own.Bad.ends_itself", "own.Bad.example", "own.Bad.exits",
    ]  # fmt: skip
    assert not (folder / "runs").exists()

"""`opperf compare`: two stored runs, by real runs and by edited ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import told

if TYPE_CHECKING:
    from tests.conftest import CommandLine

RUN = ("run", "-k", "name in (Exp, Negative)", "--framework", "numpy", "--size", "small", "--quick")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory, command_line: Any) -> CommandLine:
    """Return a command line with two real runs of the same things."""
    made: CommandLine = command_line(tmp_path_factory.mktemp("runs"))
    for _ in range(2):
        done = made.run(*RUN, "--quiet")
        assert done.returncode == 0, done.stderr
    return made


def edited(path: Path, results: Path, **changes: Any) -> str:
    """Return a results file in which each record is changed."""
    records = [json.loads(line) for line in results.read_text().splitlines()]
    path.write_text("".join(json.dumps(record | changes) + "\n" for record in records))
    return str(path)


def as_precise(path: Path, results: Path) -> str:
    """Return a results file whose records are as precise as on a machine without other work."""
    records = [json.loads(line) for line in results.read_text().splitlines()]
    for record in records:
        record["summary"]["precision"] = 0.005
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def test_two_runs_of_the_same_code(measured: CommandLine, tmp_path: Path) -> None:
    """Exit 0, the words of ab, and a line that says what such numbers are worth."""
    a = as_precise(tmp_path / "a.jsonl", measured.runs()[0] / "results.jsonl")
    done = measured.run("compare", a, a)
    assert done.returncode == 0, done.stderr
    assert "of 2 equivalent within 10 %" in done.stdout
    assert "taken apart in time, numbers carry more uncertainty" in done.stderr
    rows = json.loads(measured.run("compare", a, a, "--format", "json").stdout)
    assert {row["operator"] for row in rows} == {"Exp", "Negative"}
    assert all(row["interval"][0] < row["ratio"] < row["interval"][1] for row in rows)


def summaries(path: Path, results: Path, **changes: Any) -> str:
    """Return a results file in which each summary is changed."""
    records = [json.loads(line) for line in results.read_text().splitlines()]
    for record in records:
        record["summary"] |= changes
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


@pytest.mark.parametrize("width", ["80", "100"])
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"precision": None, "interval": None}, "noisy"),
        ({"precision": 35.0}, "noisy"),
        ({"precision": 1e9}, "noisy"),
        ({"precision": 0.999}, "> 10x"),
    ],
)
def test_a_verdict_of_nothing_known_is_said_and_bounded(
    measured: CommandLine, tmp_path: Path, changes: dict[str, Any], said: str, width: str
) -> None:
    """An interval that is missing or absurd ends neither in digits without end nor unsaid."""
    a = measured.runs()[0]
    b = summaries(tmp_path / "b.jsonl", a / "results.jsonl", **changes)
    done = measured.run("compare", a.name, b, COLUMNS=width)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].endswith("verdict")
    assert all("noisy" in line for line in lines[1:3])
    assert said in done.stdout
    assert max(map(len, lines)) <= int(width)


def test_a_mean_leaves_noisy_times_out(measured: CommandLine, tmp_path: Path) -> None:
    """And counts them."""
    a = measured.runs()[0]
    b = edited(tmp_path / "b.jsonl", a / "results.jsonl", status="noisy")
    rows = json.loads(measured.run("compare", a.name, b, "--format", "json").stdout)
    assert [row["reliable"] for row in rows] == [False, False]
    done = measured.run("compare", a.name, b)
    assert "geometric mean" not in done.stdout
    assert "2 left out" in done.stdout


def test_companions_in_both_runs_are_not_compared(measured: CommandLine, tmp_path: Path) -> None:
    """Nobody asked for them; asked for in one of the two, they are."""
    a = measured.runs()[0]
    first = json.loads((a / "results.jsonl").read_text().splitlines()[0])
    operator = {"operator": first["operator"] | {"companion": True}}
    b = edited(tmp_path / "b.jsonl", a / "results.jsonl", **operator)
    both = measured.run("compare", b, b)
    assert both.returncode == 12
    assert measured.run("compare", a.name, b).returncode == 0


def test_runs_are_found_by_their_names(measured: CommandLine) -> None:
    """What is said of their times depends on what else the machine did."""
    a, b = (run.name for run in measured.runs())
    rows = json.loads(measured.run("compare", a, b, "--format", "json").stdout)
    assert {row["operator"] for row in rows} == {"Exp", "Negative"}


def test_another_definition_is_14(measured: CommandLine, tmp_path: Path) -> None:
    """The numbers mean different things."""
    a = measured.runs()[0]
    b = edited(tmp_path / "b.jsonl", a / "results.jsonl", definition_key="0" * 16)
    done = measured.run("compare", a.name, b)
    assert done.returncode == 14
    assert "measured differently" in done.stderr


def test_another_machine_is_14_only_if_strict(measured: CommandLine, tmp_path: Path) -> None:
    """Else it is compared, and said."""
    a = measured.runs()[0]
    b = edited(tmp_path / "b.jsonl", a / "results.jsonl", environment={"machine_key": "other"})
    done = measured.run("compare", a.name, b)
    assert done.returncode == 0, done.stderr
    assert "different machines" in done.stderr
    assert measured.run("compare", a.name, b, "--strict").returncode == 14


def with_facts(path: Path, results: Path, facts: dict[str, Any], *, without: str = "") -> str:
    """Return a results file whose records' environments hold other facts, or lack one."""
    records = [json.loads(line) for line in results.read_text().splitlines()]
    for record in records:
        record["summary"]["precision"] = 0.005  # whatever else the machine did
        record["environment"].update(facts)
        record["environment"].pop(without, None)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


@pytest.mark.parametrize(
    ("ours", "theirs", "line"),
    [
        (
            {"instruction_sets": ["avx2", "fma", "avx512f"]},
            {"instruction_sets": ["avx2", "fma"]},
            "the processor: A avx512f, B nothing more",
        ),
        (
            {"instruction_sets_allowed": {"NumPy": "AVX512_ICL", "OpenBLAS": "Zen"}},
            {"instruction_sets_allowed": {"NumPy": "AVX2", "OpenBLAS": "Zen"}},
            "numpy's NumPy: A AVX512_ICL, B AVX2",
        ),
    ],
)
def test_other_instruction_sets_are_14_only_if_strict(
    measured: CommandLine, tmp_path: Path, ours: Any, theirs: Any, line: str
) -> None:
    """Else they are compared, and it is said what only one of the runs could use."""
    results = measured.runs()[0] / "results.jsonl"
    a = with_facts(tmp_path / "a.jsonl", results, ours)
    b = with_facts(tmp_path / "b.jsonl", results, theirs)
    done = measured.run("compare", a, b)
    assert done.returncode == 0, done.stderr
    assert f"the runs could use different instruction sets: {line}" in done.stderr
    strict = measured.run("compare", a, b, "--strict")
    assert strict.returncode == 14
    assert line in strict.stderr
    against = measured.run("show", b, "--against", a)
    assert f"different instruction sets: {line}" in against.stderr
    same = measured.run("compare", a, a, "--strict")
    assert (same.returncode, "instruction sets" in same.stderr) == (0, False)


def test_records_of_before_are_compared_and_it_is_said(
    measured: CommandLine, tmp_path: Path
) -> None:
    """A run that does not name its instruction sets is none that differs, and none that agrees."""
    results = measured.runs()[0] / "results.jsonl"
    facts = {"instruction_sets": ["avx2"]}
    b = with_facts(tmp_path / "b.jsonl", results, facts)
    a = with_facts(tmp_path / "a.jsonl", results, {}, without="instruction_sets")
    done = measured.run("compare", a, b, "--strict")
    assert done.returncode == 0, done.stderr
    assert "one of the runs does not name the instruction sets" in done.stderr
    assert "does not name" not in measured.run("compare", a, a).stderr


def test_what_newly_fails_is_10(measured: CommandLine, tmp_path: Path) -> None:
    """Without a ratio."""
    a = measured.runs()[0]
    b = edited(tmp_path / "b.jsonl", a / "results.jsonl", status="crashed", summary=None)
    done = measured.run("compare", a.name, b)
    assert done.returncode == 10
    assert "NEWLY FAILS" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("nosuch", "last"), 2),
        (("last", "last", "-k", "name=Dot"), 12),
        (("last", "last", "--min-effect", "-1"), 2),
        (("last",), 2),
    ],
)
def test_bad_input(measured: CommandLine, arguments: tuple[str, ...], code: int) -> None:
    """One line, and the documented exit code."""
    done = measured.run("compare", *arguments)
    assert done.returncode == code
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "words", [("compare", "run", "ab"), ("report", "run", "ab", "--html", "out.html")]
)
def test_a_comparison_is_no_run(opperf: CommandLine, words: tuple[str, ...]) -> None:
    """It holds pairs, not results: one line says so, and where its verdicts are told."""
    ab = Path(__file__).with_name("terminal") / "ab"
    run = ab.with_name("run.jsonl")
    places = {"run": str(run), "ab": str(ab)}
    done = opperf.run(*(places.get(word, word) for word in words))
    assert done.returncode == 2
    (line,) = told(done.stderr)
    assert "is a comparison of `opperf ab`" in line


def test_another_metric_is_compared_by_its_name(measured: CommandLine, tmp_path: Path) -> None:
    """With its unit; one that no record has, or that follows from the time, is refused."""
    first = measured.runs()[0]
    memory = {"outputs": 32768, "workspace": 16384, "saved": 0}
    more = edited(tmp_path / "b.jsonl", first / "results.jsonl", memory=memory)
    same = {**memory, "workspace": 0}
    less = edited(tmp_path / "a.jsonl", first / "results.jsonl", memory=same)
    done = measured.run("compare", less, more, "--metric", "workspace", "--format", "json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert [row["verdict"] for row in rows] == ["worse", "worse"]
    assert {(row["a_value"], row["b_value"], row["judged_by"]) for row in rows} == {
        (0, 16384, "difference")
    }
    table = measured.run("compare", less, more, "--metric", "peak_memory")
    assert "32.8 kB  49.2 kB  1.500" in table.stdout
    assert "4 % was added where they are not exact" in table.stderr
    for name, said in (("flop_rate", "follows from the time"), ("steps", "unknown metric 'steps'")):
        refused = measured.run("compare", less, more, "--metric", name)
        assert refused.returncode == 2
        assert said in refused.stderr

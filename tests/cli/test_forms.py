"""Output forms on the command line: a plug-in's like opperf's own, and plug-ins that are broken."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import told

if TYPE_CHECKING:
    from collections.abc import Callable

    Install = Callable[..., None]

TOY = ("--framework", "toy", "--size", "small", "--runs", "6")
DOUBLE = ("-k", "name=Double and direction=forward", *TOY)
EXP = ("-k", "name=Exp", "--framework", "numpy", "--size", "small", "--runs", "6")
SOUND = """
from opperf.reporting.form import Form
from opperf.reporting.subjects import Run

def write(run, stream):
    stream.write(f"{len(run.results)} results of {run.name}")

FORM = Form(name="mine", subjects=(Run,), suffix=".mine", help="a count", write=write)
"""


@pytest.fixture
def install(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return a function that installs a package whose module has a form."""

    def make(module: str, name: str = "mine", package: str = "mine_forms") -> None:
        site = tmp_path_factory.mktemp("site")
        facts = site / f"{package}-1.0.dist-info"
        facts.mkdir()
        facts.joinpath("METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
        )
        target = f"{package}_{site.name.replace('-', '_')}"
        facts.joinpath("entry_points.txt").write_text(
            f"[opperf.reporters]\n{name} = {target}:FORM\n"
        )
        site.joinpath(f"{target}.py").write_text(module)
        monkeypatch.syspath_prepend(site)

    return make


def refused(found: Any, *words: str) -> None:
    """Check that a command ended with 2 in one line that has the words, and printed nothing."""
    assert found.returncode == 2, found.stderr
    (line,) = told(found.stderr)
    for word in words:
        assert word in line
    assert found.stdout == ""


def test_a_form_of_a_plug_in_is_written_by_every_verb(toy: Any, tmp_path: Path) -> None:
    """By its name on stdout and in files, and by the end of a file's name."""
    found = toy.run("run", *DOUBLE, "--format", "toy", "--output-file", "run.toy")
    assert found.returncode == 0, found.stderr
    line = found.stdout
    assert line in {"Double:toy:ok\n", "Double:toy:noisy\n"}
    assert tmp_path.joinpath("run.toy").read_text() == line
    assert toy.run("show", "--format", "toy").stdout == line
    assert toy.run("resume", "last", "--format", "toy").stdout == line
    assert toy.run("export", "--output-file", "export.toy").returncode == 0
    named = ("export", "--output-format", "toy", "--output-file", "named")
    assert toy.run(*named).returncode == 0
    assert toy.run("report", "--toy", "report").returncode == 0
    files = [tmp_path / name for name in ("export.toy", "named", "report")]
    assert [path.read_text() for path in files] == [line] * 3
    assert toy.run("list", "-k", "name=Double", "--format", "toy").stdout.startswith("Double:")
    verdicts = toy.run("compare", "last", "last", "--format", "toy")
    assert ":" in verdicts.stdout, verdicts.stderr
    assert toy.run("report", "last", "last", "--toy", "verdicts").returncode == 0
    assert tmp_path.joinpath("verdicts").read_text().startswith("Double:toy:")


def test_a_form_of_a_plug_in_is_listed_and_suggested(toy: Any, opperf: Any) -> None:
    """In the help of each verb that has it, and as the nearest match; nowhere without it."""
    for verb in ("run", "report", "show", "export", "list"):
        assert "toy" in toy.run(verb, "--help").stdout.split("options:")[1]
    assert "toy" not in opperf.run("run", "--help").stdout
    found = toy.run("run", *DOUBLE, "--format", "toyy")
    refused(found, "--format: unknown value 'toyy'; did you mean 'toy'?", "table, toy")


def test_a_plug_in_is_imported_where_its_form_is_asked_for(call: Any, install: Install) -> None:
    """Not where another one is: it may be slow, or broken."""
    install("raise SystemExit(1)")
    assert call("run", *EXP).returncode == 0
    assert json.loads(call("show", "--format", "json").stdout)
    assert call("show", "--format", "jsonl").returncode == 0
    assert call("report", "--csv", "out.csv").returncode == 0
    assert "mine" in call("run", "--help").stdout


BROKEN = {
    "exits": ("import sys; sys.exit(0)", "SystemExit: 0"),
    "is not there": ("import nosuchmodule", "ModuleNotFoundError: No module named 'nosuchmodule'"),
    "has no form": ("", "AttributeError: "),
    "is a text": ("FORM = 'mine'", "it is str, and must be a Form of opperf.reporting.form"),
    "is called otherwise": (SOUND.replace('"mine"', '"yours"'), "its form is called 'yours'"),
    "has a bad name": (SOUND.replace('"mine"', '"My form"'), "name='My form': must be small let"),
    "has a bad suffix": (SOUND.replace('".mine"', '"mine"'), "suffix='mine': must be like '.csv'"),
    "has a bad subject": (SOUND.replace("(Run,)", "(int,)"), "allowed: Listing, Run, Comparison"),
    "has one subject": (SOUND.replace("(Run,)", "Run"), "must be a tuple of: Listing, Run, "),
    "has no help": (SOUND.replace('"a count"', "None"), "help=None: must be a text"),
    "cannot be called": (
        SOUND.replace("write=write", "write='w'"),
        "write='w': must be a function",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_form_is_refused_before_anything_is_measured(
    call: Any, install: Install, tmp_path: Path, kind: str
) -> None:
    """In one line that says what is wrong, whose it is and what removes it."""
    module, words = BROKEN[kind]
    install(module)
    remedy = ("plug-in 'mine' (", "cannot be loaded", "mend or uninstall it: pip uninstall mine_")
    refused(call("run", *EXP, "--format", "mine"), words, *remedy)
    refused(call("run", *EXP, "--output-file", "out.mine"), words, *remedy)
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_taken_is_refused(call: Any, install: Install) -> None:
    """It is opperf's own or another package's: both are named."""
    install(SOUND.replace('"mine"', '"csv"'), name="csv")
    both = ("'csv' is declared by opperf and by mine_forms (", ": pip uninstall mine_forms")
    refused(call("run", *EXP, "--format", "csv"), *both)
    install(SOUND, package="one_forms")
    install(SOUND, package="other_forms")
    two = ("output form 'mine' is declared by ", "other_forms (", "one_forms (", "pip uninstall o")
    refused(call("run", *EXP, "--format", "mine"), *two)
    assert call("run", *EXP).returncode == 0
    refused(call("report", "--csv", "out.csv"), *both)
    refused(call("report", "--mine", "out.csv"), *two)


def test_a_form_that_cannot_write_leaves_the_results(
    call: Any, install: Install, tmp_path: Path
) -> None:
    """What it raises is one line that names it; the run is saved, and no file is begun."""
    install(SOUND.replace("    stream.write(", "    stream.write('half')\n    raise ValueError("))
    found = call("run", *EXP, "--quiet", "--output-file", "out.mine")
    refused(found, "plug-in 'mine' (", "cannot write: ValueError: 1 results of ", "uninstall mine_")
    assert [path.name for path in tmp_path.iterdir()] == ["runs"]
    assert call("show").returncode == 0


def test_a_form_is_refused_of_what_it_is_not_written_of(call: Any, install: Install) -> None:
    """With what there is; bytes are not printed."""
    install(SOUND)
    assert call("run", *EXP).returncode == 0
    assert call("show", "--format", "mine").stdout.startswith("1 results of ")
    refused(call("list", "--format", "mine"), "unknown value 'mine'; allowed: csv, json, md, table")
    refused(call("report", "last", "last", "--mine", "x"), "--mine: there is none of this; there")
    refused(call("show", "--format", "parquet"), "unknown value 'parquet'")
    refused(
        call("show", "--statistics", "--format", "junit"),
        "unknown format 'junit' of rows; allowed: csv, json, md, table",
    )


@pytest.mark.parametrize("verb", ["show", "resume"])
def test_verdicts_are_printed_as_rows_only(call: Any, tmp_path: Path, verb: str) -> None:
    """A comparison's form is refused before it is gone on with."""
    shutil.copytree(Path(__file__).parent / "terminal" / "ab", tmp_path / "ab")
    journal = tmp_path / "ab" / "results.jsonl"
    before = journal.read_bytes()
    refused(call(verb, "ab", "--format", "junit"), "unknown format 'junit' of rows; allowed: csv,")
    assert journal.read_bytes() == before


def test_a_form_that_needs_what_is_missing_is_refused_first(
    call: Any, install: Install, tmp_path: Path
) -> None:
    """What `require` raises is said before anything is measured; the help still lists the form."""
    needy = SOUND.replace("FORM =", "def require():\n    raise ImportError('no nothing')\n\nFORM =")
    install(needy.replace("write=write", "write=write, require=require"))
    words = ("plug-in 'mine' (", "ImportError: no nothing", "pip uninstall mine_forms")
    refused(call("run", *EXP, "--format", "mine"), *words)
    refused(call("run", *EXP, "--output-file", "out.mine"), *words)
    assert list(tmp_path.iterdir()) == []
    assert "mine" in call("run", "--help").stdout


def test_a_flag_that_is_taken_is_no_form_s(call: Any, install: Install, tmp_path: Path) -> None:
    """`opperf report --force` stays what it is; a line says so, and the form has its other ways."""
    install(SOUND.replace('"mine"', '"force"'), name="force")
    assert call("run", *EXP).returncode == 0
    found = call("report", "--csv", "out.csv", "--force")
    assert found.returncode == 0
    assert "opperf: --force is a flag already, and none of the output form of mine_forms (" in (
        found.stderr
    )
    assert call("export", "--output-format", "force", "--output-file", "out").returncode == 0
    assert tmp_path.joinpath("out").read_text().startswith("1 results of ")


def test_an_end_that_several_forms_have_needs_a_name(call: Any, install: Install) -> None:
    """Unless it is the name of one: .json is json, whatever else ends so."""
    assert call("run", *EXP).returncode == 0
    assert call("export", "--output-file", "alone.xml").returncode == 0
    install(SOUND.replace('".mine"', '".xml"'))
    found = call("export", "--output-file", "out.xml")
    refused(found, "out.xml: its end says no form; give --output-format: junit, mine")
    assert call("export", "--output-file", "out.xml", "--output-format", "mine").returncode == 0
    assert call("export", "--output-file", "out.json").returncode == 0


@pytest.mark.parametrize("form", ["jsonl", "junit", "chrome-trace", "google-benchmark", "html"])
def test_files_forms_are_printed_too(call: Any, form: str) -> None:
    """What a run can be written as, it can be shown as; and what is left out is told."""
    assert call("run", *EXP, "--quiet").returncode == 0
    found = call("show", "--format", form)
    assert (found.returncode, found.stderr) == (0, "")
    assert "Exp" in found.stdout
    assert call("run", *EXP, "--quiet", "--format", form).returncode == 0


def test_what_has_no_place_in_a_file_is_counted(call: Any, toy: Any, tmp_path: Path) -> None:
    """A format of times has no row for what has none."""
    chosen = ("-k", "name in (Double, Liar) and direction=forward", *TOY)
    words = ("--output-format", "bencher", "--output-file", "out")
    assert toy.run("run", *chosen, *words).returncode == 11
    found = call("export", *words, "--force")
    assert "opperf: out has times only; left out: 1 wrong result\n" in found.stderr
    assert [name.partition("-")[0] for name in json.loads((tmp_path / "out").read_text())] == [
        "Double"
    ]

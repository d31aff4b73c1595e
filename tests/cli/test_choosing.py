"""Every verb that takes -k obeys it, and every reader of files goes on where one is not its own."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import told

AB = str(Path(__file__).with_name("terminal") / "ab")
RUN = ("run", "-k", "name=Add and direction=forward", "--framework", "numpy", "--runs", "6")
STORE = ("--store", "results.db")


def test_a_comparison_is_filtered(call: Any, tmp_path: Path) -> None:
    """What is shown and reported of it is what was asked for; the exit code is that of the rest."""
    found = call("show", AB, "-k", "name in (Exp, Log)", "--format", "json")
    assert {row["operator"] for row in json.loads(found.stdout)} == {"Exp", "Log"}
    assert found.returncode == 10
    assert call("show", AB, "-k", "name=Log").returncode == 0
    assert call("show", AB, "-k", "name=Square").returncode == 11
    assert call("show", AB, "-k", "name=Exp and direction=backward").returncode == 12
    assert call("report", AB, "-k", "name=Log", "--csv", "log.csv").returncode == 0
    text = tmp_path.joinpath("log.csv").read_text()
    assert ("Log" in text, "Exp" in text) == (True, False)
    assert call("report", AB, "-k", "name=Dot", "--csv", "dot.csv").returncode == 12


@pytest.mark.parametrize("verb", ["show", "report"])
def test_a_wrong_filter_of_a_comparison_is_refused(call: Any, verb: str) -> None:
    """As of a run."""
    wanted = ("--csv", "out.csv") if verb == "report" else ()
    for text, words in (("nam=Dot", "did you mean 'name'"), ("name=Dott", "did you mean 'Dot'")):
        found = call(verb, AB, "-k", text, *wanted)
        assert found.returncode == 2
        assert words in found.stderr


def test_what_a_comparison_has_not_is_refused(call: Any) -> None:
    """Its samples are pairs; what is asked of a run is not passed over in silence."""
    for flags in (("--statistics",), ("--against", "last")):
        found = call("show", AB, *flags)
        assert found.returncode == 2
        assert "a comparison has verdicts" in found.stderr


def test_imports_go_on_after_what_is_no_run(call: Any, tmp_path: Path) -> None:
    """A comparison is skipped with a note; a damaged file is left out, which ends with 2."""
    call(*RUN, "--quiet")
    (run,) = map(str, tmp_path.glob("runs/*/results.jsonl"))
    call("db", "init", *STORE)
    ab = str(Path(AB) / "results.jsonl")
    found = call("import", ab, run, *STORE)
    assert found.returncode == 0
    assert "skipped: ab is a comparison of `opperf ab`" in found.stderr
    assert "1 results stored" in found.stderr
    (tmp_path / "damaged.jsonl").write_text("[1]\n{}\n")
    found = call("import", "damaged.jsonl", "absent.jsonl", run, *STORE)
    assert found.returncode == 2
    assert "1 were there already" in found.stderr
    assert "2 of 3 left out; the others are stored" in found.stderr


def test_files_of_one_folder_have_titles_of_their_own(call: Any, tmp_path: Path) -> None:
    """Both sides of a page say which file they are."""
    for name in ("A", "B"):
        call(*RUN, "--quiet", "--output-file", f"{name}.jsonl")
    assert call("report", "A.jsonl", "B.jsonl", "--html", "page.html").returncode in {0, 10}
    page = tmp_path.joinpath("page.html").read_text()
    assert "/A.jsonl" in page
    assert "/B.jsonl" in page


def test_what_was_written_as_an_array_is_read(call: Any, tmp_path: Path) -> None:
    """By show and report; damaged, it is named in one line."""
    call(*RUN, "--quiet", "--output-format", "json", "--output-file", "add.json")
    (row,) = json.loads(call("show", "add.json", "--format", "json").stdout)
    assert row["operator"] == "Add"
    assert call("report", "add.json", "--csv", "add.csv").returncode == 0
    text = tmp_path.joinpath("add.json").read_text()
    tmp_path.joinpath("cut.json").write_text(text[:-20])
    tmp_path.joinpath("wrong.json").write_text(text.replace('"noisy"', '"ok"').replace('"ok"', "7"))
    for name, words in (("cut.json", "not JSON"), ("wrong.json", "result 1: field 'status'")):
        found = call("show", name)
        assert (found.returncode, len(told(found.stderr))) == (2, 1)
        assert words in found.stderr


def test_the_end_of_a_file_says_its_form(call: Any, tmp_path: Path) -> None:
    """One that is no form of ours is refused before anything is measured."""
    found = call(*RUN, "--quiet", "--output-file", "out.xlsx")
    assert found.returncode == 2
    assert (
        "its end says no form; give --output-format: html, json, jsonl, md, csv, " in found.stderr
    )
    call(*RUN, "--quiet", "--output-file", "out.csv")
    assert tmp_path.joinpath("out.csv").read_text().startswith("operator,")


def test_a_typo_gets_the_nearest_match_and_no_long_list(call: Any) -> None:
    """On the command line and in an import alike; a bare word of -k is hinted at."""
    found = call("run", "-k", "name=Addd", "--framework", "numpy")
    assert "did you mean 'Add'?" in found.stderr
    assert len(found.stderr) < 200
    found = call("run", "-k", "Softmx", "--framework", "numpy")
    assert found.returncode == 12
    assert "did you mean 'Softmax'?" in found.stderr
    with pytest.raises(ImportError, match="did you mean 'Add'"):
        exec("from opperf.nd import Addd")  # noqa: S102 - a statement of the test's own
    from opperf import nd

    assert not hasattr(nd, "Addd")


def test_shares_are_written_in_percent_too(call: Any) -> None:
    """As --min-effect is."""
    shown = json.loads(call("config", "--precision", "5%", "--format", "json").stdout)
    values = {row["option"]: row["value"] for row in shown}
    assert str(values["precision"]) == "0.05"
    found = call("config", "--precision", "500%")
    assert "such as 0.5% or 0.005" in found.stderr


def test_every_option_of_run_says_its_default(call: Any) -> None:
    """Those that take a value of the configuration."""
    text = " ".join(call("run", "--help").stdout.split())
    options = text.partition("--framework A,B frameworks")[2].partition("--quick 5 ")[0]
    assert options.partition("--quick")[0].count("(default: ") >= 15
    assert "skewed, or all" in text


def test_a_python_without_our_packages_is_told_so(tmp_path: Path) -> None:
    """In one line, not in a traceback."""
    from subprocess import run

    site = tmp_path / "sitecustomize.py"
    site.write_text("import sys\nsys.modules['msgspec'] = None\n")
    driver = Path(__file__).parents[2] / "benchmark_driver.py"
    found = run(
        [sys.executable, str(driver), "--quick"],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert found.returncode == 1
    assert "lacks msgspec: pip install opperf" in found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize("arm", [".", "OMP_NUM_THREADS=1", ". OMP_NUM_THREADS=1"])
def test_arms_that_come_out_identical_say_so(call: Any, arm: str) -> None:
    """Before anything is measured: one thread sets that variable anyway."""
    words = ("ab", "--a", ".", "--framework", "numpy", "--size", "small", "--sessions", "1")
    chosen = ("-k", "name=Exp and direction=forward", "--most-sessions", "1")
    found = call(*words, *chosen, "--b", arm)
    assert "both arms come out identical" in told(found.stderr)[0]
    other = call(*words, *chosen, "--b", "OPENBLAS_CORETYPE=Prescott")
    assert "identical" not in other.stderr

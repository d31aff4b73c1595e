"""What the pages on adding to opperf show works as it stands there."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from opperf.core.frameworks.workload import DIRECTIONS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def block(blocks: Any) -> Any:
    """Return the function that finds the one block of these pages which holds some words."""

    def find(language: str, words: str) -> str:
        pages = sorted(path.name for path in (ROOT / "docs").glob("add-*.md"))
        texts = [text for page in pages for text in blocks(f"docs/{page}", language)]
        (found,) = [text for text in texts if words in text]
        return str(found)

    return find


@pytest.fixture
def installed(tmp_path: Path, command_line: Any) -> Any:
    """Return the function that installs a module by its entry point, and gives a command line."""

    def install(module: str, project: str) -> Any:
        pattern = r'^\[project\.entry-points\."(.+)"\]\n(\w+) = "((\w+)(?::\w+)?)"\n$'
        ((group, name, target, file),) = re.findall(pattern, project)
        facts = tmp_path / "site" / f"{name}-1.0.dist-info"
        facts.mkdir(parents=True)
        facts.with_name(f"{file}.py").write_text(module)
        facts.joinpath("METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        )
        facts.joinpath("entry_points.txt").write_text(f"[{group}]\n{name} = {target}\n")
        return command_line(tmp_path, str(facts.parent))

    return install


def rows_of(found: Any) -> list[dict[str, Any]]:
    """Return the rows that a command printed as JSON."""
    assert found.returncode == 0, found.stderr
    rows: list[dict[str, Any]] = json.loads(found.stdout)
    return rows


@pytest.mark.usefixtures("both_frameworks")
def test_eight_lines_make_an_operator(block: Any, installed: Any) -> None:
    """The operator of the document is checked and measured on both frameworks."""
    module = block("python", "TABLES")
    assert len([line for line in module.splitlines() if line.strip()]) == 8
    opperf = installed(module, block("toml", "opperf.operators"))
    rows = rows_of(
        opperf.run("run", "-k", "name=ToRad", "--size=small", "--quick", "--format=json")
    )
    assert len(rows) == 2 * len(DIRECTIONS)
    assert {row["implementation"] for row in rows} == {"mxnet.nd.radians", "torch.deg2rad"}
    assert {row["status"] for row in rows} <= {"ok", "noisy"}


def copied(tmp_path: Path) -> Path:
    """Return the folder of a copy of the package."""
    site = tmp_path / "site"
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
    shutil.copytree(ROOT / "opperf", site / "opperf", ignore=ignored)
    return site


@pytest.mark.usefixtures("both_frameworks")
def test_two_modules_make_a_category(block: Any, tmp_path: Path, command_line: Any) -> None:
    """A copy of the package with the two of the document has the category, and measures it."""
    site = copied(tmp_path)
    table = block("python", "from opperf.operators import angle")
    (site / "opperf/operators/angle.py").write_text(block("python", "class Turns"))
    (site / "opperf/mxnet_benchmarks/tables/angle.py").write_text(table)
    (site / "opperf/pytorch_benchmarks/tables/angle.py").write_text("TABLE = {}\n")
    asked = ("run", "-k", "category=angle", "--size=small", "--quick", "--format=json")
    measured = ("--framework=mxnet,pytorch",)
    opperf = command_line(tmp_path)
    rows = rows_of(opperf.run(*asked, *measured, PYTHONPATH=str(site)))
    assert {row["operator"] for row in rows} == {"Turns"}
    by_framework = {row["framework"]: row["status"] for row in rows}
    assert by_framework["pytorch"] == "unsupported"
    assert by_framework["mxnet"] in {"ok", "noisy"}


def test_a_file_and_a_line_make_a_quantity(block: Any, tmp_path: Path, command_line: Any) -> None:
    """A copy of the package with the probe of the document finds it, and shows it by its name."""
    site = copied(tmp_path)
    probes = site / "opperf/measuring/probes"
    (probes / "cpu_time.py").write_text(block("python", "def measure_cpu_time"))
    text = (probes / "__init__.py").read_text()
    line = "    cpu_time.PROBE,\n"
    added = "from opperf.measuring.probes import cpu_time\n"
    text = text.replace(
        "PROBES: Sequence[Probe] = (\n", f"{added}\nPROBES: Sequence[Probe] = (\n{line}"
    )
    (probes / "__init__.py").write_text(text)
    opperf = command_line(tmp_path)
    asked = ("run", "-k", "name=Exp", "--framework=numpy", "--size=small", "--quick")
    assert opperf.run(*asked, PYTHONPATH=str(site)).returncode == 0
    shown = ("show", "last", "--metrics=time,cpu_time", "--format=json")
    (row,) = rows_of(opperf.run(*shown, PYTHONPATH=str(site)))
    assert row["cpu_time"] > 0
    assert row["time"] > 0
    (whole,) = rows_of(opperf.run("show", "last", "--format=json", PYTHONPATH=str(site)))
    assert whole["cpu_time"] == row["cpu_time"]
    compared = ("ab", "--a=.", "--b=.", *asked[1:-1], "--metric=cpu_time", "--format=json")
    few = ("--sessions=1", "--most-sessions=1", "--quiet")
    own = {"PYTHONPATH": str(site), "TMPDIR": str(tmp_path)}
    found, *_ = rows_of(opperf.run(*compared, *few, **own))
    assert found["metric"] == "cpu_time"
    assert found["a_value"] > 0


def test_a_class_makes_a_framework(block: Any, installed: Any) -> None:
    """What its table holds is checked and measured; nothing else is attempted."""
    opperf = installed(block("python", "class Plain"), block("toml", "opperf.frameworks"))
    asked = ("run", "-k", "name=Exp or name=Log", "--framework=plain", "--size=small", "--quick")
    rows = {row["operator"]: row for row in rows_of(opperf.run(*asked, "--format=json"))}
    assert rows["Exp"]["status"] in {"ok", "noisy"}
    assert rows["Exp"]["implementation"] == "numpy.exp"
    assert (rows["Log"]["status"], rows["Log"]["reason"]) == (
        "unsupported", "plain: plain has no implementation",
    )  # fmt: skip


EXP = ("-k", "name=Exp", "--framework", "numpy", "--size", "small", "--quick", "--runs", "6")


def test_a_package_adds_an_output_form(block: Any, installed: Any, tmp_path: Path) -> None:
    """It is printed, written by the end of a file's name, and named in the help."""
    opperf = installed(block("python", "FORM = Form("), block("toml", "opperf.reporters"))
    found = opperf.run("run", *EXP, "--format", "size", "--output-file", "run.size")
    assert (found.returncode, found.stdout) == (0, "1 results\n"), found.stderr
    assert tmp_path.joinpath("run.size").read_text() == found.stdout
    assert "github-action-benchmark, size" in " ".join(opperf.run("export", "-h").stdout.split())


def test_a_function_and_an_entry_make_an_output_form(
    block: Any, tmp_path: Path, command_line: Any
) -> None:
    """In a copy of the package to which the two of the document are added where it says."""
    site = tmp_path / "site"
    shutil.copytree(ROOT / "opperf", site / "opperf", ignore=shutil.ignore_patterns("__pycache__"))
    reporting = site / "opperf" / "reporting"
    reporting.joinpath("foreign/count.py").write_text(block("python", "def write_count"))
    listed = reporting / "built_in.py"
    before, end = listed.read_text()[:-2], listed.read_text()[-2:]
    assert end == ")\n"
    listed.write_text(f"{before}{block('python', 'write=function(').rstrip()},\n{end}")
    opperf = command_line(tmp_path)
    asked = ("run", *EXP, "--format", "count", "--output-file", "run.count")
    found = opperf.run(*asked, PYTHONPATH=str(site))
    assert (found.returncode, found.stdout) == (0, "1\n"), found.stderr
    assert tmp_path.joinpath("run.count").read_text() == "1\n"
    found = opperf.run("report", "--count", "report", PYTHONPATH=str(site))
    assert found.returncode == 0, found.stderr
    assert tmp_path.joinpath("report").read_text() == "1\n"

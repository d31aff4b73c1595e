"""What CONTRIBUTING.md shows works as it stands there."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from opperf.core.frameworks.workload import DIRECTIONS


@pytest.fixture
def plugged(tmp_path: Path, blocks: Any, command_line: Any) -> Any:
    """Return the command line with the plug-in of the document installed."""
    (module,) = [text for text in blocks("CONTRIBUTING.md", "python") if "TABLES" in text]
    (project,) = [text for text in blocks("CONTRIBUTING.md", "toml") if "opperf.operators" in text]
    assert len([line for line in module.splitlines() if line.strip()]) == 8
    pattern = r'^\[project\.entry-points\."(.+)"\]\n(\w+) = "(\w+)"\n$'
    ((group, name, target),) = re.findall(pattern, project)
    facts = tmp_path / "site" / f"{name}-1.0.dist-info"
    facts.mkdir(parents=True)
    facts.with_name(f"{target}.py").write_text(module)
    facts.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    facts.joinpath("entry_points.txt").write_text(f"[{group}]\n{name} = {target}\n")
    return command_line(tmp_path, str(facts.parent))


@pytest.mark.usefixtures("both_frameworks")
def test_eight_lines_make_an_operator(plugged: Any) -> None:
    """The operator of the document is checked and measured on both frameworks."""
    found = plugged.run("run", "-k", "name=ToRad", "--size=small", "--quick", "--format=json")
    assert found.returncode == 0, found.stderr
    rows = json.loads(found.stdout)
    assert len(rows) == 2 * len(DIRECTIONS)
    assert {row["implementation"] for row in rows} == {"mxnet.nd.radians", "torch.deg2rad"}
    assert {row["status"] for row in rows} <= {"ok", "noisy"}

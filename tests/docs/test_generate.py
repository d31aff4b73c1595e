"""docs/operators.md and docs/parity.md are what the declarations and the peers' tables say."""

import importlib.util
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from opperf.core.frameworks.limitation import Limitation
from opperf.core.frameworks.registry import BUILT_IN, find_framework
from opperf.core.frameworks.workload import DIRECTIONS
from opperf.core.tensors.tensor import DTYPES
from opperf.declaring.declaration import Declaration
from opperf.declaring.registry import find_operator, operators
from opperf.operators.arithmetic.arithmetic import Add
from opperf.operators.arithmetic.divisors import FMod
from opperf.operators.arithmetic.unbroadcast import ElementwiseAdd

LIMIT = Limitation(
    words="type *int8* | is bad",
    note="MXNet has none",
    dtypes=("int8", "int32"),
    directions=("backward",),
    variant="unfused",
)


@pytest.fixture
def generate(root: Path) -> Any:
    """Return docs/generate.py as a module."""
    spec = importlib.util.spec_from_file_location("generate", root / "docs/generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def kinds(generate: Any) -> Sequence[type[Declaration]]:
    """Return the package's own operators."""
    return [kind for kind in operators().values() if kind.__module__.startswith(generate.OWN)]


def test_every_operator_stands_in_its_category(
    generate: Any, kinds: Sequence[type[Declaration]]
) -> None:
    """Each operator has a row in each of the two tables of its category."""
    text = generate.document()
    for kind in kinds:
        section = text.partition(f"\n## {kind.category}\n")[2].partition("\n## ")[0]
        assert section.count(f"\n| {kind.name()} | ") == 2


def test_nothing_that_is_declared_breaks_a_table(generate: Any) -> None:
    """All rows of a table have as many cells as its header."""
    bar = re.compile(r"(?<!\\)\|")
    tables = re.findall(r"(?:^\|.*\n)+", generate.document(), re.MULTILINE)
    for table in tables:
        assert len({len(bar.findall(line)) for line in table.splitlines()}) == 1


def test_what_a_framework_lacks_is_said(generate: Any) -> None:
    """An operator without an implementation says so, with the reason where one is declared."""
    words = {"mxnet": "mxnet has no implementation", "pytorch": "its arithmetic broadcasts: "}
    for kind, name in ((FMod, "mxnet"), (ElementwiseAdd, "pytorch")):
        assert generate.implementation(kind, name).startswith(f"not implemented; {words[name]}")
    assert generate.implementation(Add, "pytorch") == "torch.add"


def test_a_limitation_stands_in_the_framework_s_words(generate: Any) -> None:
    """The words are quoted as they are, with the note and a command that shows the gap."""
    text = generate.limitation(Add, "mxnet", LIMIT)
    assert '(mxnet, unfused, backward, int8, int32): "type \\*int8\\* \\| is bad"' in text
    assert "\n  MXNet has none\n" in text
    command = "Add mxnet --direction backward --dtype int8 --unfused"
    assert f"`.venv/bin/python examples/attempt.py {command}`" in text


def test_the_commands_name_what_exists(generate: Any, kinds: Sequence[type[Declaration]]) -> None:
    """Each command in the document names an operator, a direction and a dtype."""
    for kind in kinds:
        for measured, limit in ((name, gap) for name in BUILT_IN for gap in limits(name, kind)):
            _, _, name, framework, *_ = shlex.split(generate.attempt(kind, measured, limit))
            assert (find_operator(name), framework) == (kind, measured)
            assert set(limit.directions) <= set(DIRECTIONS)
            assert set(limit.dtypes) <= set(DTYPES)


def limits(framework: str, kind: type[Declaration]) -> tuple[Limitation, ...]:
    """Return what a framework cannot do with an operator."""
    return find_framework(framework).limitations(kind)


def test_check_ends_in_one_line_where_the_file_is_stale(
    generate: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing or different file is exit 1 and stays as it is; one just written is fine."""
    generate.FILE = tmp_path / "operators.md"
    generate.PARITY = tmp_path / "parity.md"
    generate.FOLDER = tmp_path
    assert generate.main(["--check"]) == 1
    lines = capsys.readouterr().out.splitlines()
    names = ["operators.md", "parity.md", "opperf.bash", "opperf.zsh", "opperf.fish"]
    assert [line.split()[0] for line in lines] == [f"{tmp_path.name}/{name}" for name in names]
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    generate.FILE.write_text("older", encoding="utf-8")
    assert generate.main(["--check"]) == 1
    assert generate.FILE.read_text(encoding="utf-8") == "older"


def test_no_framework_is_needed(root: Path, opperf: Any) -> None:
    """The document is made where neither MXNet nor PyTorch can be imported."""
    script = str(root / "docs/generate.py")
    hide = "import runpy, sys; sys.modules.update(mxnet=None, torch=None); "
    code = f"{hide} print(len(runpy.run_path({script!r})['document']()))"
    found = opperf.execute([sys.executable, "-c", code])
    assert int(found.stdout) > 1000, found.stderr

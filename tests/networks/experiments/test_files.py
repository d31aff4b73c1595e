"""Experiment files are data from strangers: whatever is in one, it is a matrix or one line."""

from __future__ import annotations

import json
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest

from opperf.core.errors import UsageError
from opperf.networks.experiments.command import experiment_of
from opperf.networks.experiments.file import LARGEST, read_document
from opperf.networks.experiments.matrix import expand_plan
from opperf.networks.experiments.plan import ExperimentPlan

if TYPE_CHECKING:
    from pathlib import Path

SOUND = {
    "a.toml": """[parameters]
exp.model = "alexnet"
exp.proj = "$('x' if '${exp.phase}' == 'training' else 'y')$"
my.x = {val = 1, type = "int", desc = "one"}
[variables]
exp.replica_batch = [1, 2]
[[extensions]]
condition = {exp.model = "alex(.*)"}
cases = [{exp.phase = "training"}, {exp.id = "${__condition.exp.model_1}"}]
""",
    "a.yaml": """parameters: {exp.model: alexnet, exp.proj: "$('a' * ${my.x})$"}
variables: {exp.replica_batch: [1, 2], exp.phase: [training, inference]}
constraints: ["${exp.replica_batch} < 2"]
extensions:
  - condition: {exp.model: 'alex(.*)'}
    parameters: {exp.id: '${__condition.exp.model_1}'}
""".replace("parameters:", "parameters:", 1),
    "a.json": json.dumps({
        "parameters": {"exp.model": "alexnet", "exp.proj": "$(1 + len('${exp.phase}'))$"},
        "variables": {"exp.replica_batch": [1, 2]},
    }),
}  # fmt: skip
PIECES = (
    b"${", b"$(", b")$", b"}", b"[", b"]", b"{", b"\n", b"=", b": ", b"'", b'"', b"\0", b"\xff",
    b"&a ", b"*a", b"<<: ", b"!!python/object/apply:os.system ", b"99999999999999999999", b"1e999",
    b"- ", b"exp.model", b"\\", b"9**9**9", b"${exp.proj}",
)  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_a_damaged_file_is_a_matrix_or_one_line(name: str, tmp_path: Path) -> None:
    """Bytes changed, taken out, doubled and put in, by a seed each."""
    path = tmp_path / name
    text = SOUND[name].replace("${my.x}", "2").encode()
    sound, errors = 0, []
    for seed in range(150):
        path.write_bytes(damaged(text, Random(seed)))  # noqa: S311 - no secret
        try:
            plan = ExperimentPlan()
            plan.add(read_document(path))
            for run in expand_plan(plan, {}).runs:
                experiment_of(run)
            sound += 1
        except UsageError as error:
            errors.append(str(error))
    assert sound
    assert [error for error in errors if not error.isprintable()] == []


def damaged(text: bytes, random: Random) -> bytes:
    """Return the text with up to three faults."""
    data = bytearray(text)
    for _ in range(random.randint(0, 3)):
        at, kind = random.randrange(len(data)), random.randrange(4)
        if kind == 0:
            data[at] = random.randrange(256)
        elif kind == 1:
            del data[at : at + random.randint(1, 30)]
        elif kind == 2:
            data[at:at] = data[at : at + random.randint(1, 60)]
        else:
            data[at:at] = random.choice(PIECES)
    return bytes(data)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.ini", "", "must end with .toml, .yaml, .yml, .json"),
        ("a.toml", "x = ", "a.toml: not valid TOML"),
        ("a.toml", "x = " + "[" * 20_000, "nested too deeply"),
        ("a.json", "[" * 20_000, "nested too deeply"),
        ("a.json", '{"parameters": {"a": 1, "a": 2}}', "'a' stands twice"),
        ("a.json", '{"parameters": {"a": NaN}}', "NaN is not a number"),
        ("a.json", "[]", "must have parameters, variables, extensions"),
        ("a.json", '{"parameters": ' + "9" * 5000 + "}", "not valid JSON"),
        ("a.yaml", "- " * 20_000, "nested too deeply"),
        ("a.yaml", "a: 1\nb: 2\na: 3", "a.yaml line 3: not valid YAML: 'a' stands twice"),
        ("a.yaml", "a: &x [1]\nb: *x", "a.yaml line 2: not valid YAML: aliases are not allowed"),
        ("a.yaml", "a: {<<: {b: 1}}", "or merges"),
        ("a.yaml", "!!python/object/apply:os.system ['true']", "could not determine a constructor"),
        ("a.yaml", "a: [", "not valid YAML"),
        ("a.yaml", "\x1b", "not valid YAML"),
        ("a.yaml", "? [a, b]\n: 1", "not valid YAML"),
        ("a.yaml", "", "must have parameters"),
        ("a.yaml", "#" * (LARGEST + 1), "larger than 256 KiB"),
    ],
)
def test_what_is_no_document_is_one_line(name: str, text: str, said: str, tmp_path: Path) -> None:
    """With the file and the line."""
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        read_document(path)
    assert said in str(caught.value)
    assert str(caught.value).isprintable()


def test_no_file_is_one_line(tmp_path: Path) -> None:
    """A folder is none either."""
    with pytest.raises(UsageError, match=r"cannot read experiment file .*No such file"):
        read_document(tmp_path / "none.toml")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(UsageError, match="cannot read experiment file"):
        read_document(tmp_path / "folder.toml")


def test_without_the_library_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TOML and JSON need none."""
    path = tmp_path / "a.yaml"
    path.write_text("parameters: {}")
    monkeypatch.setitem(sys.modules, "yaml", None)
    monkeypatch.delitem(sys.modules, "opperf.networks.experiments.yaml_form", raising=False)
    with pytest.raises(UsageError, match=r"pip install 'opperf\[yaml\]'"):
        read_document(path)

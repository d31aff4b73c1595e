"""One test of a file is several: one a shape, numbered; what is shared reaches each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.specs.format.reading import read_specifications
from tests.specs.format.examples import spec, written

if TYPE_CHECKING:
    from pathlib import Path

    from opperf.specs.format.expanded import SpecTest

SHAPES = [[1, 3, 30, 30], [64, 3, 30, 30], [1, 3, 224, 224]]


def found_in(path: Path) -> tuple[SpecTest, ...]:
    """Return the tests of the only specification of a file."""
    (found,) = read_specifications(path)
    return found.tests


def test_three_shapes_are_three_tests(tmp_path: Path) -> None:
    """Row 33: with the ids 0, 1 and 2, and a shape each."""
    path = written(tmp_path, spec(inputs={"data": {"shapes": SHAPES, "type": "float"}}))
    tests = found_in(path)
    assert [test.identifier for test in tests] == ["0", "1", "2"]
    assert [test.index for test in tests] == [0, 1, 2]
    assert [[*test.inputs[0].shape] for test in tests] == SHAPES
    assert {test.inputs[0].dtype for test in tests} == {"float32"}


def test_ids_go_on_from_test_to_test(tmp_path: Path) -> None:
    """As in the document's own files: the number is the test's in its file."""
    document = spec(identifier="a_{ID}", inputs={"data": {"shapes": SHAPES}})
    document["tests"] += spec(identifier="{name}-{ID}-{metric}", iter=7)["tests"]
    tests = found_in(written(tmp_path, document))
    assert [test.identifier for test in tests] == ["a_0", "a_1", "a_2", "net-3-delay"]
    assert tests[3].iterations == 7


def test_each_input_has_a_shape_of_each_test(tmp_path: Path) -> None:
    """Several inputs go together; one with a single shape has it in every test."""
    inputs = {
        "data": {"shapes": [[1], [2]], "type": "int64", "below": 9},
        "mask": {"shapes": [[3], [4]], "type": "bool"},
        "scale": {"shapes": [[]], "type": "double"},
    }
    first, second = found_in(written(tmp_path, spec(inputs=inputs)))
    assert [each.shape for each in first.inputs] == [(1,), (3,), ()]
    assert [each.shape for each in second.inputs] == [(2,), (4,), ()]
    assert [each.dtype for each in second.inputs] == ["int64", "bool", "float64"]
    assert second.inputs[0].below == 9


def test_files_go_with_their_shapes(tmp_path: Path) -> None:
    """A list has one a test; {ID} in a name stands for the test's number."""
    document = spec(
        metric="error",
        inputs={"data": {"shapes": [[1], [2]]}},
        input_files={
            "data": [{"filename": "a.npy", "location": "in/a.npy", "md5": "A" * 32}, "b.npy"]
        },
        output_files={"out": {"filename": "gold_{ID}.npy", "location": "//golden/{ID}.npy"}},
        rtol=1e-3,
    )  # fmt: skip
    first, second = found_in(written(tmp_path, document))
    assert first.inputs[0].file is not None
    assert first.inputs[0].file.location == "in/a.npy"
    assert first.inputs[0].file.md5 == "a" * 32
    assert first.inputs[0].file.folder == tmp_path
    assert first.inputs[0].file.place.endswith("net.json: $.tests[0].input_files.data[0]")
    assert second.inputs[0].file is not None
    assert second.inputs[0].file.filename == "b.npy"
    assert [test.golden["out"].location for test in (first, second)] == [
        "//golden/0.npy", "//golden/1.npy"
    ]  # fmt: skip
    assert (first.rtol, first.atol) == (1e-3, None)


def test_a_list_shares_its_meta(tmp_path: Path) -> None:
    """Row 34: group and commands appear in each; merged deeply, and a test's value wins."""
    plain = spec()
    own = spec(commands={"pytorch": {"backend": "own", "threads": 2}}, iter=5)
    own["tests"][0]["meta"] = {"group": "mine"}
    written(tmp_path, plain, "models/plain.json")
    written(tmp_path, own, "models/own.json")
    shared = {"pytorch": {"backend": "mkl", "layout": {"a": 1}}, "mxnet": {"x": True}}
    shared["pytorch"].pop("layout")
    meta = {"group": "CNN", "commands": shared, "iter": 9, "note": {"deep": [1]}}
    path = written(tmp_path, {"meta": meta, "benchmarks": ["models/plain.json", "models/own.json"]})
    first, second = (found.tests[0] for found in read_specifications(path, meta={"who": "ci"}))
    assert first.meta == {"group": "CNN", "note": {"deep": [1]}, "who": "ci"}
    assert first.commands == shared
    assert first.iterations == 9
    assert second.meta == {"group": "mine", "note": {"deep": [1]}, "who": "ci"}
    assert second.commands == {
        "pytorch": {"backend": "own", "threads": 2}, "mxnet": {"x": True}
    }  # fmt: skip
    assert second.iterations == 5


def test_the_nearer_list_wins(tmp_path: Path) -> None:
    """Of a list of lists; the model's own value wins over both."""
    document = spec()
    document["model"] |= {"warmup": 3, "description": "a net"}
    written(tmp_path, document, "a/net.json")
    inner = {"meta": {"group": "inner", "warmup": 2}, "benchmarks": ["net.json", "net.json"]}
    written(tmp_path, inner, "a/list.json")
    outer = {"meta": {"group": "outer", "site": "x", "warmup": 1}, "benchmarks": ["a/list.json"]}
    found = read_specifications(written(tmp_path, outer))
    assert [each.tests[0].warmup for each in found] == [3, 3]
    assert found[1].tests[0].meta == {"group": "inner", "site": "x", "description": "a net"}
    assert found[1].model.files["model"].folder == tmp_path / "a"


def test_merging_changes_no_file_beside(tmp_path: Path) -> None:
    """What one model says does not reach the next of the list."""
    own = spec()
    own["model"]["commands"] = {"pytorch": {"backend": "own"}}
    written(tmp_path, own, "own.json")
    written(tmp_path, spec(), "plain.json")
    meta = {"commands": {"pytorch": {"threads": 1}}}
    path = written(tmp_path, {"meta": meta, "benchmarks": ["own.json", "plain.json"]}, "list.json")
    own_spec, plain_spec = read_specifications(path)
    assert own_spec.tests[0].commands == {"pytorch": {"backend": "own", "threads": 1}}
    assert plain_spec.tests[0].commands == {"pytorch": {"threads": 1}}


def test_a_program_is_called_with_what_is_known(tmp_path: Path) -> None:
    """As in FAI-PEP's own files: the file's values are filled in, places of files stay."""
    document = spec(
        arguments="--net {files.predict} --iter {iter} --batch {batch_size} --id {ID}", iter=50
    )
    document["model"]["batch_size"] = 4
    document["model"]["format"] = "caffe2"
    del document["tests"][0]["inputs"]
    document["tests"][0]["platform_args"] = {"taskset": "f0"}
    document["tests"][0]["preprocess"] = {"commands": ["mkdir x"]}
    path = written(tmp_path, document)
    (found,) = read_specifications(path)
    (test,) = found.tests
    line = "{program} --net {files.predict} --iter 50 --batch 4 --id 0"
    assert test.command_lines == (line,)
    assert test.platform_args == {"taskset": "f0"}
    assert found.ignored == (f"{path}: $.tests[0].preprocess: not carried out",)


def test_operators_are_asked_for_in_both_spellings(tmp_path: Path) -> None:
    """Ours, and the options of a framework as FAI-PEP's first files have them."""
    document = spec(operators=True)
    document["tests"] += spec(commands={"caffe2": {"run_individual": "true"}})["tests"]
    document["tests"] += spec(iter=-1)["tests"]
    tests = found_in(written(tmp_path, document))
    assert [test.operators for test in tests] == [True, True, False]
    assert tests[2].iterations is None


def test_variables_reach_every_text(tmp_path: Path) -> None:
    """Those of --string_map, in locations and names alike."""
    document = spec(identifier="{WHO}_{ID}")
    document["model"]["files"]["model"] = "{MODEL_DIR}/net.pt"
    path = written(tmp_path, document)
    (found,) = read_specifications(path, variables={"MODEL_DIR": "/models", "WHO": "me"})
    assert found.model.files["model"].location == "/models/net.pt"
    assert found.model.files["model"].filename == "net.pt"
    assert found.tests[0].identifier == "me_0"

"""Fields that a specification may have: a misspelled one is refused, one without effect named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.specs.format.document import (
    FileRecord,
    ModelRecord,
    SpecInputRecord,
    SpecListRecord,
    SpecRecord,
    SpecTestRecord,
)
from opperf.specs.format.placeholders import names_in
from opperf.specs.format.strict import refuse_unknown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opperf.specs.format.place import Place

NOT_CARRIED_OUT = {
    "model": ("converter", "cooldown", "log_output", "postprocess", "preprocess", "repeat"),
    "tests": ("collection_time", "files", "log_output", "method", "postprocess", "preprocess",
              "voltage"),
}  # fmt: skip
"""What FAI-PEP does around a test and opperf does not."""
DESCRIBED = ("inputs", "outputs")
"""Fields of a model that only say what its tests say again."""


def check_fields(document: Mapping[str, Any], place: Place) -> None:
    """Refuse fields that are not known, unless a placeholder stands for their value.

    What is no object where one must be is left to the types.

    Raises:
        UsageError: names the first one, and the nearest that there is.
    """
    kind = SpecListRecord if "benchmarks" in document else SpecRecord
    refuse_unknown(document, kind, place)
    values = names_in(document)
    model = document.get("model")
    if isinstance(model, dict):
        known = {*values, *NOT_CARRIED_OUT["model"], *DESCRIBED}
        refuse_unknown(model, ModelRecord, place / "model", known)
        for field in ("files", "libraries"):
            check_files(model.get(field), place / "model" / field)
    tests = document.get("tests")
    for number, test in enumerate(tests if isinstance(tests, list) else ()):
        if isinstance(test, dict):
            check_test(test, place / "tests" / number, values)


def check_test(test: Mapping[str, Any], place: Place, values: set[str]) -> None:
    """Refuse fields of a test that are not known."""
    refuse_unknown(test, SpecTestRecord, place, {*values, *NOT_CARRIED_OUT["tests"]})
    inputs = test.get("inputs")
    for name, each in inputs.items() if isinstance(inputs, dict) else ():
        if isinstance(each, dict):
            refuse_unknown(each, SpecInputRecord, place / "inputs" / name)
    for field in ("input_files", "output_files"):
        check_files(test.get(field), place / field)


def check_files(files: Any, place: Place) -> None:
    """Refuse fields of files that are not known."""
    entries: Any = ()
    if isinstance(files, dict):
        entries = files.items()
    elif isinstance(files, list):
        entries = enumerate(files)
    for key, file in entries:
        if isinstance(file, dict):
            refuse_unknown(file, FileRecord, place / key)
        elif isinstance(file, list):
            check_files(file, place / key)


def ignored_fields(document: Mapping[str, Any], place: Place) -> Iterator[str]:
    """Yield a line for each field that FAI-PEP would carry out and opperf does not."""
    parts = [(document["model"], "model", place / "model")]
    parts += [
        (test, "tests", place / "tests" / number) for number, test in enumerate(document["tests"])
    ]
    for value, kind, here in parts:
        for name in NOT_CARRIED_OUT[kind]:
            if name in value:
                yield f"{here / name}: not carried out"

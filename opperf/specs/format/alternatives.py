"""How many tests one test of a specification stands for: one a shape, or one a file."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from opperf.core.errors import unknown
from opperf.core.tensors.tensor import ITEMSIZE
from opperf.specs.format.expanded import InputSpec
from opperf.specs.format.files import file_each

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.specs.format.document import File, SpecTestRecord
    from opperf.specs.format.files import FileReader
    from opperf.specs.format.place import Place

TYPES = {
    **{name: name for name in ITEMSIZE},
    "float": "float32", "double": "float64", "half": "float16", "int": "int32", "long": "int64",
}  # fmt: skip
"""The element types by what a specification calls them."""
MOST_BYTES = 2**50
"""Of a tensor."""


def count_of(test: SpecTestRecord, place: Place) -> int:
    """Return how many tests this one is: lists of one entry hold for all of them.

    Raises:
        UsageError: Two lists have different lengths.
    """
    most, where = 1, place
    for length, here in lengths(test, place):
        if 1 not in (length, most) and length != most:
            raise here.fault(f"{length} entries, but {most} in {where.path}: must be as many, or 1")
        if length > most:
            most, where = length, here
    return most


def lengths(test: SpecTestRecord, place: Place) -> Iterator[tuple[int, Place]]:
    """Yield the length of each list that makes a test several."""
    for name, each in test.inputs.items():
        yield len(each.shapes), place / "inputs" / name / "shapes"
    for field, lists in (("input_files", test.input_files), ("output_files", test.output_files)):
        for name, files in lists.items():
            if isinstance(files, tuple):
                yield len(files), place / field / name


def inputs_of(
    test: SpecTestRecord, number: int, files: FileReader, place: Place
) -> tuple[InputSpec, ...]:
    """Return the inputs of the number-th test of a group.

    Raises:
        UsageError: A type is not known, a shape is too large, or a file is of no input.
    """
    values: dict[str, tuple[File, Place]] = {}
    for name, file, here in file_each(test.input_files, number, place / "input_files"):
        if name not in test.inputs and test.inputs:
            raise here.fault(unknown("input", name, test.inputs))
        values[name] = (file, here)
    found = []
    for name, each in test.inputs.items():
        here = place / "inputs" / name
        index = number if len(each.shapes) > 1 else 0
        shape = each.shapes[index]
        if each.type not in TYPES:
            raise (here / "type").fault(unknown("type", each.type, TYPES))
        refuse_large(shape, ITEMSIZE[TYPES[each.type]], here / "shapes" / index)
        pair = values.get(name)
        found.append(
            InputSpec(
                name=name,
                shape=shape,
                dtype=TYPES[each.type],
                file=files.spec(*pair) if pair else None,
                below=each.below,
            )
        )
    return tuple(found)


def refuse_large(shape: tuple[int, ...], itemsize: int, place: Place) -> None:
    """Refuse a shape that no memory holds, and whose bytes a record may not be able to state."""
    if prod(shape) * itemsize > MOST_BYTES:
        raise place.fault("a tensor of more than 2^50 bytes")

"""The specification file as it is written: its objects, their fields, types and bounds.

The fields are those of FAI-PEP's files, as its documents and its own specifications have them, and
a few more. Reader and JSON Schema are derived from these classes.

History of the format:

* opperf.spec/1 (2026-11): the first.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from opperf.specs.metrics import METRICS

SCHEMA: Literal["opperf.spec/1"] = "opperf.spec/1"
MOST_DIMENSIONS = 64
MOST_ELEMENTS = 2**62
"""Of a tensor: what a 64-bit offset can name."""
MOST_SHAPES = 10_000
MOST_ENTRIES = 1000
"""Of files, inputs or outputs of one model or test."""
LONGEST_TEXT = 2**16
MOST_ITERATIONS = 10**9

END = r"(?![\s\S])"
"""Where a text ends; Python's $ holds before a line break as well."""
PRINTABLE = rf"^[^\x00-\x1f\x7f]*{END}"
Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Line = Annotated[str, Meta(pattern=PRINTABLE, max_length=4096)]
"""Text without control characters."""
Location = Annotated[str, Meta(max_length=4096, extra_json_schema={"pattern": PRINTABLE})]
"""The same where a list may stand instead, checked by `files.py`: msgspec 0.22.0 frees a union of
an array or object and text with a `pattern` as what it is not, and the process may crash at its end
(github.com/msgspec/msgspec/issues/717)."""
Label = Annotated[str, Meta(pattern=PRINTABLE, min_length=1, max_length=200)]
FileName = Annotated[
    str, Meta(pattern=rf"^(?!\.{{1,2}}{END})[^/\x00-\x1f\x7f]+{END}", max_length=200)
]
"""Without a folder."""
Size = Annotated[int, Meta(ge=0, le=MOST_ELEMENTS)]
Shape = Annotated[tuple[Size, ...], Meta(max_length=MOST_DIMENSIONS)]
Tolerance = Annotated[float, Meta(ge=0, le=1e300)]
Iterations = Annotated[int, Meta(ge=-1, le=MOST_ITERATIONS)]
Seconds = Annotated[float, Meta(gt=0, le=10**7)]
Plain = str | bool | Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)] | float
"""A value that stands for itself on a command line."""
Options = dict[Label, Plain | None]
JsonObject = dict[str, Any]


def meaning(text: str) -> Meta:
    """Return what the schema says of a field."""
    return Meta(description=text)


class SpecPart(Struct, frozen=True, kw_only=True):
    """An object of a specification."""


class FileRecord(SpecPart, frozen=True, kw_only=True):
    """A file: what it is called in the model cache, where it comes from, and its hashes."""

    filename: Annotated[FileName, meaning("in the model cache, without a folder")]
    location: Annotated[
        Line,
        meaning("a URL, a path from the specification's folder, or //path below --root_model_dir"),
    ] = ""
    md5: Annotated[str, Meta(pattern=rf"^([0-9a-fA-F]{{32}})?{END}")] | None = None
    sha256: Annotated[str, Meta(pattern=rf"^([0-9a-fA-F]{{64}})?{END}")] | None = None


File = FileRecord | Location
Files = Annotated[dict[Label, File], Meta(max_length=MOST_ENTRIES)]
FileLists = Annotated[
    dict[Label, File | Annotated[tuple[File, ...], Meta(min_length=1, max_length=MOST_SHAPES)]],
    Meta(max_length=MOST_ENTRIES),
]


class SpecInputRecord(SpecPart, frozen=True, kw_only=True):
    """An input of a test: its shapes, each of which is a test of its own."""

    shapes: Annotated[tuple[Shape, ...], Meta(min_length=1, max_length=MOST_SHAPES)]
    type: Annotated[Label, meaning('of its elements: "float", "int64" and so on')] = "float"
    below: Annotated[
        Annotated[int, Meta(ge=1, le=2**31)] | None,
        meaning("whole numbers are drawn from 0 up to this"),
    ] = None


class SharedRecord(SpecPart, frozen=True, kw_only=True):
    """What a test may say, or for all tests the model, or for all models the meta of a list."""

    iter: Annotated[Iterations | None, meaning("-1: as many as precision needs")] = None
    warmup: Annotated[Iterations | None, meaning("-1: the default")] = None
    rtol: Tolerance | None = None
    atol: Tolerance | None = None
    timeout: Annotated[Seconds | None, meaning("seconds")] = None
    operators: Annotated[bool | None, meaning("whether each operator is timed as well")] = None
    commands: Annotated[
        dict[Label, Options] | Annotated[tuple[Text, ...], Meta(max_length=MOST_ENTRIES)] | None,
        meaning("options of each framework by its name, or command lines of a program"),
    ] = None
    platform_args: Annotated[Options | None, meaning("options of the platform")] = None


class SpecMetaRecord(SharedRecord, frozen=True, kw_only=True):
    """What is said of all tests below; a test's own value wins. Further fields are free."""

    group: Label | None = None


class ModelRecord(SharedRecord, frozen=True, kw_only=True):
    """The model that the tests run."""

    name: Label
    format: Annotated[Label, meaning("which loader reads its files")]
    files: Annotated[Files, meaning("by the role that the loader knows them by")] = field(
        default_factory=dict
    )
    framework: Annotated[Label | None, meaning("the only one that runs it")] = None
    factory: Annotated[Line, meaning("module:function that makes the model")] = ""
    options: Annotated[JsonObject, meaning("of the loader")] = field(default_factory=dict)
    libraries: Annotated[
        dict[Label, File] | tuple[File, ...], meaning("shared libraries that the program needs")
    ] = ()
    data_downloads: Annotated[tuple[Line, ...], meaning("each URL;PATH;HASH")] = ()
    category: Text | None = None
    description: Text | None = None
    kind: Text | None = None
    meta: JsonObject = field(default_factory=dict)


class SpecTestRecord(SharedRecord, frozen=True, kw_only=True):
    """What is measured: a metric of the model, once for each shape of its inputs."""

    identifier: Annotated[Line, Meta(min_length=1), meaning("{ID} becomes the test's number")]
    metric: Annotated[
        str, Meta(description="what is measured", extra_json_schema={"enum": [*METRICS]})
    ]
    inputs: Annotated[dict[Label, SpecInputRecord], Meta(max_length=MOST_ENTRIES)] = field(
        default_factory=dict
    )
    input_files: Annotated[FileLists, meaning("the inputs' values; drawn without")] = field(
        default_factory=dict
    )
    output_files: Annotated[FileLists, meaning("golden outputs, by the output's name")] = field(
        default_factory=dict
    )
    command: Annotated[Text | None, meaning("a program's command line")] = None
    arguments: Annotated[Text | None, meaning("a program's arguments")] = None
    meta: JsonObject = field(default_factory=dict)


class SpecRecord(SpecPart, frozen=True, kw_only=True):
    """A specification: a model and its tests."""

    schema: Literal["opperf.spec/1"] = SCHEMA
    meta: SpecMetaRecord = field(default_factory=SpecMetaRecord)
    model: ModelRecord
    tests: Annotated[tuple[SpecTestRecord, ...], Meta(min_length=1, max_length=MOST_SHAPES)]


class SpecListRecord(SpecPart, frozen=True, kw_only=True):
    """A list of specifications, by their paths from this file, and what is said of all of them."""

    schema: Literal["opperf.spec/1"] = SCHEMA
    meta: SpecMetaRecord = field(default_factory=SpecMetaRecord)
    benchmarks: Annotated[tuple[Line, ...], Meta(min_length=1, max_length=MOST_ENTRIES)]

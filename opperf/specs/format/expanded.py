"""A specification as it is run: every test with one shape an input, every placeholder filled."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True)
class FileSpec:
    """A file that a specification names, before the model cache has fetched it.

    Args:
        filename: the name it has in the model cache; no folder is part of it.
        location: as written: a URL, an absolute path, a path below `folder`, or `//path` below
            --root_model_dir; empty where the specification says none.
        md5: its hash, in lower-case hexadecimal digits; None where the specification has none.
        sha256: likewise.
        folder: of the specification file, which a relative location starts from.
        place: where it stands, for errors: "squeezenet.json: $.model.files.predict".

    """

    filename: str
    location: str = ""
    md5: str | None = None
    sha256: str | None = None
    folder: Path
    place: str


@dataclass(frozen=True, kw_only=True)
class InputSpec:
    """An input of a test: one shape, and a file of its values where there is one.

    Args:
        name: the model's name of it.
        shape: its dimensions.
        dtype: its element type, as opperf calls it ("float32").
        file: of its values; None to draw them.
        below: whole numbers are drawn from 0 up to this; None for the default.

    """

    name: str
    shape: tuple[int, ...]
    dtype: str = "float32"
    file: FileSpec | None = None
    below: int | None = None


@dataclass(frozen=True, kw_only=True)
class ModelSpec:
    """The model that a specification's tests run.

    Args:
        name: as reports call it.
        format: which loader reads its files, as "torchscript".
        files: by the role that the loader knows them by, as "init" and "predict".
        framework: the only one that runs it; None for whichever has a loader of its format.
        factory: "module:function" of a model that Python code makes; empty for others.
        options: of the loader.
        libraries: further shared libraries that the program needs.
        data_downloads: "URL;PATH;HASH", each placed before the tests.
        place: where it stands, for errors.

    """

    name: str
    format: str
    files: Mapping[str, FileSpec] = field(default_factory=dict)
    framework: str | None = None
    factory: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    libraries: tuple[FileSpec, ...] = ()
    data_downloads: tuple[str, ...] = ()
    place: str


@dataclass(frozen=True, kw_only=True)
class SpecTest:
    """One test: a metric of the model on one shape of each input.

    Args:
        identifier: its name, unlike any other test's of its specification and metric.
        index: its number among the specification's tests, which `{ID}` stands for.
        metric: "delay", "error", "memory" or "throughput".
        inputs: in the order of the specification.
        golden: files of the outputs that are right, by the output's name.
        rtol: how far an output may be off, relative to the golden one; None for the default.
        atol: how far it may be off beside that; None for the default.
        iterations: how many are timed; None for as many as precision needs.
        warmup: how many come before them; None for the default.
        timeout: seconds; None for --timeout.
        operators: whether the delay of each operator is measured as well.
        commands: options of each framework, such as {"caffe2": {"backend": "mkl"}}.
        command_lines: what a program of its own would be called with, placeholders filled as far
            as they are known.
        platform_args: of the platform, such as {"taskset": "f0"}.
        meta: everything else the specification says of the test, shared meta included.
        place: where it stands, for errors: "squeezenet.json: $.tests[1]".

    """

    identifier: str
    index: int
    metric: str
    inputs: tuple[InputSpec, ...] = ()
    golden: Mapping[str, FileSpec] = field(default_factory=dict)
    rtol: float | None = None
    atol: float | None = None
    iterations: int | None = None
    warmup: int | None = None
    timeout: float | None = None
    operators: bool = False
    commands: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    command_lines: tuple[str, ...] = ()
    platform_args: Mapping[str, Any] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)
    place: str

    @property
    def batch(self) -> int | None:
        """How many items an inference has: the first size of the first input."""
        shape = self.inputs[0].shape if self.inputs else ()
        return shape[0] if shape and shape[0] else None


@dataclass(frozen=True, kw_only=True)
class Specification:
    """A model and its tests, as one file has them.

    Args:
        path: the file.
        model: which all of its tests run.
        tests: at least one, numbered from 0.
        ignored: a line for each field that the format knows and opperf does not carry out.

    """

    path: Path
    model: ModelSpec
    tests: tuple[SpecTest, ...]
    ignored: tuple[str, ...] = ()

    def to_mapping(self) -> dict[str, Any]:
        """Return it as JSON."""
        found: dict[str, Any] = plain_paths(asdict(self))
        return found


def plain_paths(value: Any) -> Any:
    """Return JSON with each path as text."""
    if isinstance(value, dict):
        return {name: plain_paths(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_paths(item) for item in value]
    return str(value) if isinstance(value, Path) else value

"""The arrays of a test: its inputs, drawn or of files, and its golden outputs."""

from __future__ import annotations

import os
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from opperf.calls.measuring.filling import fill
from opperf.core.errors import UnsupportedError, UsageError, quote_path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.core.tensors.tensor import Array
    from opperf.specs.measuring.parts import SpecInput

HELD_AS = {"bfloat16": "float32"}
"""NumPy has no bfloat16: a file holds its values in float32."""
FEWEST = 2
"""Whole numbers are drawn below this one, unless the specification says below which."""


def array_of(tensor: SpecInput, seed: int) -> Array:
    """Return the values of an input, the same for every framework.

    Each input has a generator of its own, so that its values do not depend on the others.

    Raises:
        UsageError: its file is none of just that shape and element type, or none can be drawn.
    """
    if tensor.file is not None:
        return checked(tensor, read_array(tensor.file, f"input {tensor.name!r}"))
    generator = np.random.default_rng((seed, crc32(tensor.name.encode())))
    values = {"kind": "indices", "below": tensor.below or FEWEST}
    kind: Mapping[str, Any] = values if "int" in tensor.dtype else {"kind": "uniform"}
    try:
        flat = fill(prod(tensor.shape), tensor.dtype, kind, generator)
    except UnsupportedError as error:
        raise UsageError(f"input {tensor.name!r}: {error}") from error
    return flat.reshape(tensor.shape)


def checked(tensor: SpecInput, array: Array) -> Array:
    """Return a file's array where it is what the specification says.

    Raises:
        UsageError: it is not.
    """
    dtype = HELD_AS.get(tensor.dtype, tensor.dtype)
    if (array.shape, str(array.dtype)) != (tensor.shape, dtype):
        raise UsageError(
            f"input {tensor.name!r}: {quote_path(tensor.file)} has {array.dtype} of shape "
            f"{array.shape}, the specification says {dtype} of shape {tensor.shape}"
        )
    return array


def read_array(path: str, what: str) -> Array:
    """Return the array of a .npy file; nothing in it is ever executed.

    Raises:
        UsageError: it is none.
    """
    try:
        with Path(path).open("rb") as file:
            found = np.load(file, allow_pickle=False)
    except Exception as error:  # noqa: BLE001 - a damaged header has NumPy raise anything
        said = (str(error).splitlines() or [type(error).__name__])[0]
        raise UsageError(f"{what}: {quote_path(path)} is no .npy file of numbers: {said}") from None
    if not isinstance(found, np.ndarray) or found.dtype.kind not in "biufc":
        raise UsageError(f"{what}: {quote_path(path)} holds no array of numbers; save one as .npy")
    return found


def save_arrays_in(folder: Path, arrays: Sequence[Array], names: Sequence[str]) -> None:
    """Write outputs as .npy files, by their names, else by their positions, each of them whole.

    Positions are for outputs without names, and for names that would be one file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    plain = [*dict.fromkeys(map(plain_name, names))]
    if len(plain) != len(arrays):
        plain = [*map(str, range(len(arrays)))]
    for name, array in zip(plain, arrays, strict=True):
        path = folder / f"{name}.npy"
        unfinished = path.with_suffix(f".{os.getpid()}.part")
        try:
            with unfinished.open("wb") as file:
                np.save(file, array, allow_pickle=False)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)


def plain_name(name: str) -> str:
    """Return a name as a file may have it."""
    plain = "".join(one if one.isalnum() or one in "-_." else "_" for one in name)
    return plain.lstrip(".") or "_"


def golden_arrays(golden: Mapping[str, str]) -> dict[str, Array]:
    """Return the golden outputs by their names or positions.

    Raises:
        UsageError: a file is none, or has a value that nothing can be compared with.
    """
    found = {name: read_array(path, f"golden output {name!r}") for name, path in golden.items()}
    for name, array in found.items():
        if array.dtype.kind in "fc" and np.isnan(array).any():
            raise UsageError(
                f"golden output {name!r}: {quote_path(golden[name])} has NaN, which equals nothing;"
                " make it again"
            )
    return found

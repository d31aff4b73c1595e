"""What a test is of: a model whose files are here, and its input tensors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True)
class SpecModel:
    """A model whose files are on this machine.

    Args:
        name: what the specification calls it.
        format: how its files hold it, such as "torchscript"; says which loader reads it.
        files: the path of each of its files by the name that the specification gives it.
        digests: the sha256 of each of its files by the same names, which tell two versions apart.
        options: what its loader takes beside the files.
        trust: whether files may be read that can run code of their own.

    """

    name: str
    format: str
    files: Mapping[str, str] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    trust: bool = False


@dataclass(frozen=True, kw_only=True)
class SpecInput:
    """An input tensor: the values of a .npy file, else ones drawn from the seed.

    Whole numbers are drawn from 0 on and `below` a number, by default 2.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str = "float32"
    file: str | None = None
    below: int | None = None

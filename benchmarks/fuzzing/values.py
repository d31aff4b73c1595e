"""Hostile values: of every kind that an input or an option takes, and of kinds that none does."""

from __future__ import annotations

from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random


def nested(depth: int) -> list[Any]:
    """Return a list within lists."""
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


WHOLE = (
    0, 1, -1, 2, 3, 5, 7, 33, 64, 1000, 65536, 65537, 10**9, 2**31 - 1, 2**31, -(2**31), 2**32,
    2**62, 2**63 - 1, 2**63, -(2**63), 10**30, -(10**30), 10**5000,
)  # fmt: skip
FLOATS = (
    0.0, -0.0, 0.5, 1.0, -1.0, 2.0, 1e-9, 1e6, 1e15, 1e30, 1e154, 1e300, 1e308, -1e308, 1e-300,
    1e-320, -1e-320, 5e-324, 1 - 2**-53, inf, -inf, nan,
)  # fmt: skip
LENGTHS = (1, 2, 3, 4, 5, 7, 8, 64, 100003, 2**15, 2**20, 2**31, 2**31 - 1, 2**40, 2**62)
RANKS = (0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 8, 31, 32, 33, 64)
NAMES = (
    "float32", "float64", "float16", "bfloat16", "int64", "int32", "int8", "bool", "uint8",
    "complex64", "float", "object", "normal", "uniform", "small", "typical", "large", "skewed",
    "numpy", "cpu", "cuda:0",
)  # fmt: skip
TEXTS = (
    "", " ", "x", "None", "True", "nan", "-inf", "1e999", "()", "(1,)", "(0,)", "(-1, 2)", "[[[]]]",
    "{[]: 1}", "{}", "(1, 'a')", "9" * 30, "9" * 5000, "1e308", "1e-320", "0x10", "1_000", "a\nb",
    "\x1b[31mred\x1b[0m", "\x07\x08", "\u202eabc", "\udc80", "é" * 50, "%s%n{}",
    "'; drop table x; --", "x" * 5000, "(" * 500, "[" * 90 + "]" * 90, "-" * 300 + "1", "lambda: 1",
    "(1" + ",1" * 32 + ")", "../../x", "~", "/proc/none", "a=b=c", "=", ",", ",,", "--", "-k", "@x",
    "*", "٣", "1 2", "2**31",
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, False, object(), b"bytes", {}, {"a": 1}, set(), (None,), (1.5, 2), (True, 2),
    ("a",), [], [[]], [()], [(2, 3), (4, 5)], [(2, 3), "x"], nested(50), nested(2000), range(3), 1j,
    float, int, np.int64(7), np.float32(0.5), np.zeros(3), np.array(2), np.float64("nan"),
    float("1e400"), len, (2, (3, 4)), [2**31] * 40, "x", Ellipsis, np.dtype("int8"), np.generic,
    type, slice(1),
)  # fmt: skip


def shape(random: Random) -> tuple[int, ...]:
    """Return a shape: of small dimensions, with one that is huge, or of equal ones."""
    rank = random.choice(RANKS)
    kind = random.random()
    if kind < 0.2:
        return (random.choice(LENGTHS),) * rank
    sizes = [random.choice((1, 2, 3, 4, 8)) for _ in range(rank)]
    if sizes and kind < 0.5:
        sizes[random.randrange(rank)] = random.choice((0, -1, *LENGTHS, *WHOLE))
    return tuple(sizes)


def near(random: Random, default: Any) -> Any:
    """Return a hostile value of the kind that the default is."""
    if isinstance(default, bool):
        return not default
    if isinstance(default, tuple):
        changed = list(default)
        if changed and random.random() < 0.4:
            changed[random.randrange(len(changed))] = random.choice((*LENGTHS, *WHOLE))
            return tuple(changed)
        return shape(random)
    if isinstance(default, int):
        return random.choice(WHOLE)
    if isinstance(default, float):
        return random.choice(FLOATS)
    return random.choice(NAMES)


def value(random: Random, default: Any) -> Any:
    """Return a value that the default's place may be given, mostly of its kind."""
    kind = random.random()
    if kind < 0.8:
        return near(random, default)
    return random.choice(random.choice((WHOLE, FLOATS, NAMES, TEXTS, ODD)))


def inputs(random: Random, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return some inputs of an operator; now and then with one shape for all, or a wrong name."""
    count = min(random.choice((1, 1, 2, 3)), len(defaults))
    found = {name: value(random, defaults[name]) for name in random.sample([*defaults], count)}
    if random.random() < 0.3:
        same = shape(random)
        shapes = [name for name, default in defaults.items() if isinstance(default, tuple)]
        found |= dict.fromkeys(shapes, same)
    if random.random() < 0.02:
        found[random.choice(TEXTS)] = random.choice(ODD)
    return found


def text(random: Random, given: Any) -> str:
    """Return how somebody types a value; what Python cannot write is typed as something else."""
    try:
        return str(given) if isinstance(given, str) else repr(given)
    except (ValueError, RecursionError):
        return random.choice(TEXTS)

"""The command that measures one result, or compares one operator, again."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from opperf.core.results.identity import CALL, NETWORK, OPERATOR
from opperf.core.tensors.tensor import FLOATS
from opperf.reporting.models import is_step
from opperf.reporting.specs import is_spec
from opperf.reporting.text import clean
from opperf.reporting.wording import DIRECTIONS, codes, dtypes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.core.results.parts import OperatorRecord
    from opperf.core.results.result import Result
    from opperf.reporting.comparison import ComparisonReport
    from opperf.reporting.verdicts import Verdict

CAST = "cast"
"""The warning of a call that is measured in another element type than it was captured in."""
SYNTHETIC = "synthetic"
"""The data of a network that come of no folder."""
VARIANTS = (" (fused)", " (unfused)")
"""What follows the name in a verdict's operator."""


def command(result: Result) -> str:
    """Return what measures this operator, framework, direction, size and place alone.

    Quoted for a shell. A result of a named size is measured by that name; one of other inputs by
    each input and attribute, as the record has them. A specification's test is measured with the
    others of its file.
    """
    if is_spec(result):
        return clean(result.command or "")
    if is_step(result):
        return shlex.join(["opperf", "model", *flags_of_step(result)])
    return shlex.join(["opperf", "run", *flags(result)])


def command_again(row: Verdict, comparison: ComparisonReport) -> str:
    """Return an `opperf ab` of this operator, framework, direction and size alone.

    Empty where the two were not measured in turns, or with inputs that have no size's name.
    """
    if not comparison.interleaved or row.size is None:
        return ""
    if not (arms := arm_flags(row, comparison)):
        return ""
    name = row.operator
    for variant in VARIANTS:
        name = name.removesuffix(variant)
    directions = {short: direction for direction, short in DIRECTIONS.items()}
    chosen = f"{equals('name', name)} and direction={directions.get(row.direction, row.direction)}"
    place = ["--framework", clean(row.framework), "--size", clean(row.size)]
    metric = ["--metric", clean(row.metric)] if row.metric else []
    return shlex.join(["opperf", "ab", *arms, "-k", chosen, *place, *metric])


def arm_flags(row: Verdict, comparison: ComparisonReport) -> list[str]:
    """Return the flags of the arms that a verdict is on; none where they are not known."""
    if comparison.arms:
        named = [name for name in (row.reference, row.arm) if name in comparison.arms]
        words = [f"{name}={comparison.arms[str(name)]}" for name in dict.fromkeys(named)]
        return [word for arm in words for word in ("--arm", clean(arm))]
    if comparison.names is None:
        return []
    pairs = zip(("--a", "--b"), comparison.names, strict=True)
    return [word for flag, arm in pairs for word in (flag, clean(arm))]


def flags(result: Result) -> Iterator[str]:
    """Yield the words after the verb."""
    operator = result.operator
    kind = result.subject.kind if result.subject else OPERATOR
    if kind in {CALL, NETWORK}:
        # The calls stand beside their run.
        yield from ("--calls", f"runs/{clean(result.run_id or 'RUN')}/calls.json")
        yield from flags_of_call(result) if kind == CALL else flags_of_network(result)
        return
    yield from ("-k", f"{equals('name', operator.name)} and direction={operator.direction}")
    yield from ("--framework", clean(operator.framework))
    if size := operator.size:
        yield from ("--size", clean(size))
    else:
        shapes = {item.name: item.shape for item in result.inputs}
        given: dict[str, Any] = {**shapes, **result.attributes}
        for name, value in given.items():
            yield from ("--input", f"{clean(name)}={clean(value)}")
    if kinds := dtypes(result):
        yield from ("--dtype", kinds[0])
    yield from flags_of_place(operator)


def flags_of_call(result: Result) -> Iterator[str]:
    """Yield what measures a network's calls of this operator."""
    yield from ("-k", equals("name", result.operator.name))
    if CAST in codes(result) and (kinds := dtypes(result)):
        yield from ("--dtype", next(iter([kind for kind in kinds if kind in FLOATS]), kinds[0]))
    yield from flags_of_place(result.operator)


def flags_of_network(result: Result) -> Iterator[str]:
    """Yield what measures all calls of a network."""
    if dtype := result.attributes.get("dtype"):
        yield from ("--dtype", clean(dtype))
    yield from flags_of_place(result.operator)


def flags_of_step(result: Result) -> Iterator[str]:
    """Yield what trains a network again, or infers with it."""
    given = result.attributes
    yield clean(result.operator.name)
    yield from ("--framework", clean(result.operator.framework))
    if result.operator.direction == "forward":
        yield "--forward_only"
    for flag, name in (("batch_size", "batch"), ("dtype", "dtype"), ("size", "size")):
        if name in given:
            yield from (f"--{flag}", clean(given[name]))
    if given.get("data") == SYNTHETIC:
        yield from () if given.get("data_resident", True) else ("--data-per-batch",)
    else:
        yield from ("--data_backend", clean(given.get("data")))
        yield from ("--data_dir", clean(given.get("data_dir")))
    if "process" not in result.operator.unusual:
        yield from ("--process", "laid_out")
    yield from flags_of_place(result.operator)


def flags_of_place(operator: OperatorRecord) -> Iterator[str]:
    """Yield where and how it was measured, as far as that is not usual."""
    if operator.device != "cpu":
        yield from ("--device", clean(operator.device))
    if (threads := operator.threads or 1) != 1:
        yield from ("--threads", clean(threads))
    if operator.cache == "cold":
        yield from ("--cache", "cold")
    for name, value in operator.unusual.items():
        yield from (f"--{name}", clean(value))


def equals(field: str, value: object) -> str:
    """Return a comparison of the filter's language, quoted where the value is no plain word."""
    text = clean(value)
    plain = text.replace("_", "").isalnum() and text.isascii()
    quote = '"' if "'" in text else "'"
    return f"{field}={text}" if plain else f"{field}={quote}{text}{quote}"

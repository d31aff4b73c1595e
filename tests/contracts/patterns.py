"""What each declaration's call of a framework's own operator looks like, found by trying.

``python -m tests.contracts.patterns --write [FRAMEWORK]`` writes arguments.toml of its calling/.

Each declaration is run at its smallest size and on inputs that differ from it by one attribute, by
one size of a tensor, or by the number of dimensions, and what its one operator is given is
compared: what changes with an attribute is that attribute. What is written down leads each of these
calls back to the inputs that it was made of; what does not is left out.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from opperf.calls.declared.finding import GRADIENTS, arguments_of, solve
from opperf.calls.declared.pattern import parse_pattern, parse_signature
from opperf.calls.declared.solution import Solution
from opperf.calls.format.values import Argument, Call, CallTensor, Constant
from opperf.core.errors import OpperfError
from opperf.core.frameworks.calling import DIRECTIONS
from opperf.core.frameworks.registry import find_framework
from tests.contracts import called
from tests.contracts.explaining import (
    UnclearError,
    attributes,
    equal,
    explain,
    given_as,
    input_like,
    matters,
    mentioned,
)
from tests.contracts.observed import Named, Seen
from tests.contracts.probing import probes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.declaring.declaration import Declaration
    from tests.contracts.observed import Observed
    from tests.contracts.probing import Probe

HEADER = """\
# What the framework's own operators are given by the declarations that call them, in terms of the
# declarations' inputs; opperf/calls/declared/pattern.py explains how it is written.
# Written by `python -m tests.contracts.patterns --write`."""
SILENT = (
    "device", "pin_memory", "non_blocking", "generator", "keepdim", "keepdims", "ctx", "workspace",
    "cudnn_tune", "cudnn_off", "num_args", "is_int",
)  # fmt: skip
"""Arguments that say nothing of the work: where a tensor lies, how a result's shape is written
(with axes of one element or without), what another device needs, how many tensors are listed."""
SILENT_OF = {
    "aten.embedding.default": ("padding_idx", "scale_grad_by_freq", "sparse"),
    "Embedding": ("sparse_grad",),
}
"""Arguments of single operators that do not change what they compute: those of its backward."""
TRAIN, MODAL = "is_train", ("BatchNorm", "Dropout", "RNN", "_contrib_BatchNormWithReLU")
"""What says that it is training, and the operators of MXNet that compute something else then."""


def file_of(framework: str) -> Path:
    """Return where a framework's patterns are written down."""
    return called.file_of(framework).with_name("arguments.toml")


def learn(kind: type[Declaration], direction: str, found: Sequence[Probe], *, fixed: bool) -> str:
    """Return the pattern that explains all calls.

    `fixed` says that it holds for this number of dimensions only.
    """
    names = [*found[0][1].given]
    operator = found[0][1].operator
    words = [
        "..."
        if is_silent(operator, name)
        else explain(kind, direction, [probe[1].given[name] for probe in found], found, fixed=fixed)
        for name in names
    ]
    text = ", ".join(words)
    missing = [name for name in kind.tensors if not given_as(name, found)]
    for name in attributes(found[0][0]):
        values = {repr(operator.inputs[name]) for operator, _ in found}
        if len(values) > 1 and not mentioned(name, text) and matters(name, found):
            missing.append(name)
    shapes = [f"{name}={input_like(name, found)}" for name in missing]
    return f"{kind.name()}({', '.join([*words, *shapes])})"


def is_silent(operator: str, name: str) -> bool:
    """Return whether an argument says nothing of an operator's work."""
    if name == TRAIN:
        return operator not in MODAL
    return name in SILENT or name in SILENT_OF.get(operator, ())


def call_of(call: Observed) -> Call:
    """Return an observed call as a calls file would state it."""
    return Call(
        call.operator, tuple(Argument(name, value_of(each)) for name, each in call.given.items())
    )


def value_of(value: Any) -> Any:
    """Return an observed argument as that of a call."""
    if isinstance(value, list):
        return [value_of(each) for each in value]
    if isinstance(value, Seen):
        return CallTensor(value.shape, value.dtype, value.strides)
    return Constant(value.kind, value.name) if isinstance(value, Named) else value


def require_way_back(text: str, direction: str, found: Sequence[Probe]) -> None:
    """Refuse a pattern that does not lead each call back to its inputs."""
    for operator, call in found:
        try:
            solution = Solution(operator.tensors, call_args(call))
            back = solve(parse_pattern(text, direction), solution)
        except OpperfError as error:
            raise UnclearError(f"no way back: {error}") from None
        for name in (*operator.tensors, *attributes(operator), "dtype"):
            told = back.operator.inputs[name]
            if told != operator.inputs[name] and not equal(told, operator.inputs[name]):
                if name in attributes(operator) and not mentioned(name, text):
                    continue
                raise UnclearError(f"no way back: {name} {operator.inputs[name]} -> {told}")


def call_args(call: Observed) -> dict[str, Any]:
    """Return the arguments of a call by name."""
    return arguments_of(call_of(call), parse_signature(call.takes))


def pattern_of(
    framework: Framework, kind: type[Declaration], variant: Variant, direction: str
) -> tuple[Observed, str] | None:
    """Return a declaration's call in a direction, and what it looks like."""
    near, far = probes(framework, kind, variant, direction)
    if not near:
        return None
    first = near[0][1]
    if far:
        with suppress(UnclearError):
            return first, tried_pattern(kind, direction, [*near, *far], fixed=False)
    return first, tried_pattern(kind, direction, near, fixed=True)


def tried_pattern(
    kind: type[Declaration], direction: str, found: Sequence[Probe], *, fixed: bool
) -> str:
    """Return the pattern that explains all calls and leads them back."""
    text = learn(kind, direction, found, fixed=fixed)
    require_way_back(text, direction, found)
    return text


def find(
    framework: Framework,
    kinds: Iterable[tuple[type[Declaration], Variant]],
    say: Callable[..., Any],
) -> dict[str, dict[str, Any]]:
    """Return each operator with what it takes and what declarations give it."""
    rows: dict[str, dict[str, Any]] = defaultdict(dict)
    plain: dict[tuple[str, str], list[tuple[Any, str]]] = defaultdict(list)
    for kind, variant in kinds:
        texts = {}
        for direction in DIRECTIONS:
            try:
                found = pattern_of(framework, kind, variant, direction)
            except UnclearError as error:
                say(f"{kind.name()} {direction}: {error}")
                continue
            if found is None or (direction in GRADIENTS and "backward" not in found[0].operator):
                continue  # what serves a backward as well is a forward's own
            call, text = found
            if direction == "forward_recorded" and texts.get("forward") == (call.operator, text):
                continue
            texts[direction] = call.operator, text
            rows[call.operator]["takes"] = call.takes
            built, other, *rest = called.plainness(framework, call.operator)(kind)
            plain[call.operator, direction].append(((other, built, *rest), text))
    for (operator, direction), listed in plain.items():
        rows[operator][direction] = list(dict.fromkeys(text for _, text in sorted(listed)))
    return dict(rows)


def text_of(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the operators as TOML, one below the other."""
    lines = [HEADER]
    for name, row in sorted(rows.items()):
        lines += ["", f'["{name}"]', f"takes = {quoted(row['takes'])}"]
        for direction in DIRECTIONS:
            if direction in row:
                lines += [f"{direction} = [", *(f"  {quoted(t)}," for t in row[direction]), "]"]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """Return a text of TOML."""
    return f"'{text}'" if "'" not in text else '"' + text.replace('"', '\\"') + '"'


def all_kinds(framework: Framework) -> Iterator[tuple[type[Declaration], Variant]]:
    """Yield the declarations that can run here, whole."""
    for _, kind, variant, _ in called.timed.variants(framework):
        if kind.category != "probe" and variant != "unfused":
            yield kind, variant


def main(words: list[str]) -> None:
    """Write a framework's patterns anew."""
    for name in words or called.timed.MEASURED:
        framework = find_framework(name)
        framework.load(1)
        rows = find(framework, all_kinds(framework), lambda line: sys.stderr.write(f"{line}\n"))
        file_of(name).write_text(text_of(rows), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] != ["--write"]:
        sys.exit("python -m tests.contracts.patterns --write [FRAMEWORK]")
    main(sys.argv[2:])

"""Which of a framework's own operators each declaration runs, where it is just one.

``python tests/contracts/called.py --write`` writes declared.toml of each framework's calling/.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomllib

from opperf.core.configuration.settings import Settings
from opperf.core.errors import UnsupportedError
from opperf.core.frameworks.registry import find_framework
from opperf.measuring.attempt import Attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.variant import Variant
    from opperf.declaring.declaration import Declaration

ROOT = Path(__file__).parents[2]
DIRECTIONS = {"forward": "forward", "forward_recorded": "forward", "backward": "backward"}
"""What is made, and what it is written down as: some forwards differ where they are recorded."""
HEADER = """\
# The framework's own operators, and the declarations whose call in a direction is that one alone,
# at the smallest size; views and room for tensors left out.
# Written by `python tests/contracts/called.py --write`."""
PREPARING = frozenset({"aten.ones_like.default", "aten.zeros_like.default"})
"""What PyTorch makes for a backward where nobody gives it a gradient."""


def load_timed() -> Any:
    """Return the module that says what rows there are."""
    spec = importlib.util.spec_from_file_location("timed", Path(__file__).with_name("timed.py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


timed = load_timed()


def file_of(framework: str) -> Path:
    """Return where a framework's operators are written down."""
    return ROOT / "opperf" / f"{framework}_benchmarks" / "calling" / "declared.toml"


def read(framework: str) -> dict[str, Any]:
    """Return what is written down."""
    return tomllib.loads(file_of(framework).read_text(encoding="utf-8"))


def recorded(framework: Framework, call: Callable[[], object]) -> list[str]:
    """Return the operators that a call runs, by their registered names."""
    if framework.name == "mxnet":
        return list(timed.recorded(framework, call))
    from torch.utils._python_dispatch import TorchDispatchMode

    found: list[str] = []

    class Recording(TorchDispatchMode):
        def __torch_dispatch__(self, call: Any, _: Any, args: Any = (), kwargs: Any = None) -> Any:
            if not call.is_view and not call.overloadpacket.__name__.startswith(timed.ALLOCATING):
                found.append(str(call))
            return call(*args, **(kwargs or {}))

    with Recording():
        call()
    return found


def alone(framework: Framework, kind: type[Declaration], variant: Variant) -> Iterator[Any]:
    """Yield each direction with the one operator that a call of it runs."""
    operator = kind(size="small")
    attempt = Attempt(operator, framework, "cpu", Settings())
    for direction, written in DIRECTIONS.items():
        if (variant, direction) not in {*operator.rows()}:
            continue
        try:
            attempt.refuse(variant, direction)
            work = attempt.workload(variant).works[direction]()
            with work.context():
                for step in work.steps(2):  # the first call may prepare something
                    found = recorded(framework, step)
        except UnsupportedError:
            continue
        rest = [name for name in found if name not in PREPARING] or found
        if len(rest) == 1:
            yield written, rest[0]


def observe(framework: Framework) -> dict[str, dict[str, list[str]]]:
    """Return the framework's operators with the declarations of each direction."""
    framework.load(1)
    seen: dict[str, dict[str, list[type[Declaration]]]] = {}
    for _, kind, variant, _ in timed.variants(framework):
        if (
            kind.category == "probe" or variant == "unfused"
        ):  # of parts, some do nothing in inference
            continue
        for direction, name in alone(framework, kind, variant):
            kinds = seen.setdefault(name, {}).setdefault(direction, [])
            if kind not in kinds:
                kinds.append(kind)
    return {
        name: {
            direction: [kind.name() for kind in sorted(kinds, key=plainness(framework, name))]
            for direction, kinds in row.items()
        }
        for name, row in seen.items()
    }


def plainness(framework: Framework, operator: str) -> Callable[[type[Declaration]], object]:
    """Return what puts the declaration first that is the operator and nothing besides."""
    words = operator.split(".")

    def key(kind: type[Declaration]) -> object:
        found = framework.implementation(kind, variant="only")
        assert found
        other = found.name.rpartition(".")[2] not in words
        changes = any(tensor.mutated for tensor in kind.tensors.values())
        calls = found.build is not None, other, changes, len(found.fixed)
        return *calls, len(kind.name()), kind.name()

    return key


def text_of(seen: Mapping[str, Mapping[str, Iterable[str]]]) -> str:
    """Return the operators as TOML, one below the other."""
    lines = [HEADER]
    for name, row in sorted(seen.items()):
        lines += ["", f'["{name}"]']
        for direction in dict.fromkeys(DIRECTIONS.values()):
            if direction in row:
                names = ", ".join(f'"{each}"' for each in row[direction])
                lines.append(f"{direction} = [{names}]")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1:2] != ["--write"]:
        sys.exit("python tests/contracts/called.py --write [FRAMEWORK]")
    for each in sys.argv[2:] or timed.MEASURED:
        file_of(each).write_text(text_of(observe(find_framework(each))), encoding="utf-8")

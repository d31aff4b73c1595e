"""What each row runs inside its timed callable, as the frameworks themselves record it.

``python tests/contracts/timed.py --write`` writes it anew, keeping the reasons.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomllib

from opperf.core.configuration.settings import Settings
from opperf.core.frameworks.limits import known_limitations
from opperf.core.frameworks.registry import find_framework
from opperf.declaring.declaration import DECLARED
from opperf.declaring.registry import own_modules
from opperf.measuring.attempt import Attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from opperf.core.frameworks.framework import Framework
    from opperf.core.frameworks.implementation import Implementation
    from opperf.core.frameworks.variant import Variant
    from opperf.declaring.declaration import Declaration

MEASURED = ("mxnet", "pytorch")
COPYING = {
    "mxnet": frozenset({
        "Cast", "CopyCPU2CPU", "Reshape", "_arange", "_contrib_arange_like", "_copy", "_copyto",
        "_np_copy", "_np_reshape", "_npi_arange", "amp_cast", "cast_storage",
    }),
    "pytorch": frozenset({
        "_local_scalar_dense", "_to_copy", "arange", "clone", "copy", "copy_", "int_repr",
    }),
}  # fmt: skip
"""What a table must have a reason for: conversions, copies, positions made anew, and waiting."""
HEADER = """\
# What runs inside the timed callable of each row that is several operators or copies, at the
# smallest size, views left out. A row with a conversion, a copy or positions made anew says why.
# Written by `python tests/contracts/timed.py --write`, which keeps the reasons."""
ALLOCATING = ("empty", "new_empty")
OF_THE_PROCESSOR = ("Reorder",)
"""What oneDNN does for some instruction sets and not for others."""


def file_of(framework: str) -> Path:
    """Return where a framework's rows are written down."""
    return Path(__file__).with_name(f"timed_{framework}.toml")


def read(framework: str) -> dict[str, dict[str, Any]]:
    """Return the rows that are written down."""
    path = file_of(framework)
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def variants(framework: Framework) -> Iterator[tuple[str, type[Declaration], Variant, str]]:
    """Yield each row that can run here: its name, operator and variant, and what its table names.

    What torch.compile makes is code that no record names.
    """
    for module in own_modules():
        for kind in DECLARED.get(module.__name__, {}).values():
            for variant in kind.variants():
                found = framework.implementation(kind, variant=variant)
                if found is None or is_compiled(framework, found):
                    continue
                if known_limitations(kind(size="small"), framework, "forward", variant=variant):
                    continue
                suffix = "" if variant == "only" else f"-{variant}"
                yield f"{kind.name()}{suffix}", kind, variant, found.name


def is_compiled(framework: Framework, implementation: Implementation) -> bool:
    """Return whether torch.compile makes it."""
    return framework.name == "pytorch" and implementation.compiles


def recorded(framework: Framework, call: Callable[[], object]) -> list[str]:
    """Return the operators that a call runs, views and room for a tensor left out."""
    if framework.name == "mxnet":
        names = framework.kernels(call, "cpu") or []
        return [name for name in names if name not in OF_THE_PROCESSOR]
    from torch.utils._python_dispatch import TorchDispatchMode

    found: list[str] = []

    class Recording(TorchDispatchMode):
        def __torch_dispatch__(self, call: Any, _: Any, args: Any = (), kwargs: Any = None) -> Any:
            name = call.overloadpacket.__name__
            if not call.is_view and not name.startswith(ALLOCATING):
                found.append(name)
            return call(*args, **(kwargs or {}))

    with Recording():
        call()
    return found


def runs(framework: Framework, kind: type[Declaration], variant: Variant) -> list[str]:
    """Return what one call of the forward runs, at the smallest size."""
    operator = kind(size="small")
    workload = Attempt(operator, framework, "cpu", Settings()).workload(variant)
    work = workload.works["forward"]()
    with work.context():
        for step in work.steps(2):  # the first call may prepare something
            found = recorded(framework, step)
    return found


def is_told(framework: str, found: list[str]) -> bool:
    """Return whether a row is to be written down: it is several operators, or copies."""
    return len(found) > 1 or bool(COPYING[framework] & {*found})


def observe(framework: Framework) -> dict[str, dict[str, Any]]:
    """Return every row that is several operators or copies, with what it runs."""
    framework.load(1)
    seen = {
        name: {"table": table, "runs": runs(framework, kind, variant)}
        for name, kind, variant, table in variants(framework)
    }
    return {name: row for name, row in seen.items() if is_told(framework.name, row["runs"])}


def text_of(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the rows as TOML, one below the other."""
    lines = [HEADER]
    for name, row in sorted(rows.items()):
        names = ", ".join(f'"{each}"' for each in row["runs"])
        lines += ["", f"[{name}]", f'table = "{row["table"]}"', f"runs = [{names}]"]
        if why := row.get("why"):
            lines.append(f'why = "{why}"')
    return "\n".join(lines) + "\n"


def write(name: str) -> None:
    """Write a framework's rows anew."""
    known = read(name)
    rows = observe(find_framework(name))
    kept = {each: {"why": known[each]["why"]} for each in rows if "why" in known.get(each, {})}
    file_of(name).write_text(
        text_of({each: row | kept.get(each, {}) for each, row in rows.items()}), encoding="utf-8"
    )


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("python tests/contracts/timed.py --write")
    for each in MEASURED:
        write(each)

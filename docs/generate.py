"""Write what declarations and the parser say: operators.md, parity.md, completion, the man page.

Run: ``python docs/generate.py``.

With ``--check`` nothing is written, and the exit code is 1 where a file would change. No
framework is imported, and plug-ins' operators are left out.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from inspect import cleandoc, getmodule
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING, Any

from msgspec import convert

from opperf.cli.verbs.completion import FOLDER
from opperf.core.frameworks.implementation import Fusable, Implementation
from opperf.core.frameworks.registry import BUILT_IN, MEASURED, find_framework
from opperf.core.frameworks.workload import DIRECTIONS
from opperf.core.results.parts import InputRecord
from opperf.core.tensors.tensor import DTYPES, FLOATS, INTEGERS
from opperf.core.units import MISSING, format_bytes, format_rate
from opperf.declaring.declaration import SIZES, Declaration
from opperf.declaring.description import describe_inputs
from opperf.declaring.registry import operators
from opperf.reporting.escaping import markdown
from opperf.reporting.wording import attributes_text, inputs_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from opperf.core.frameworks.limitation import Limitation
    from opperf.core.frameworks.requirement import Requirement

    Kind = type[Declaration]

FILE = Path(__file__).with_name("operators.md")
PARITY = FILE.with_name("parity.md")
PEERS = str(FILE.with_name("peers.py"))
MANUAL = FILE.with_name("man") / "opperf.1"
MANUAL_OF = str(FILE.with_name("manual.py"))
COMPLETIONS = str(FILE.with_name("completions.py"))
STALE = "{folder}/{file} is not what docs/generate.py writes; run: make docs"
OWN = "opperf.operators."
GROUPS = {"all": DTYPES, "floats": FLOATS, "integers": INTEGERS}
HEAD = f"""\
# Operators

Written by `make docs` from opperf/operators; do not edit it. Peers' names: [parity.md](parity.md).

{{counts}}

- **typical** inputs and attributes are what is measured unless `--size` says otherwise; a shape
  stands once where all inputs share it. float32 unless `--dtype` says otherwise.
- **FLOP** and **bytes** are those of one forward call on the typical inputs. Bytes are the least
  traffic: each input and each output is moved once. 0 FLOP: the operator computes nothing, or how
  much it computes is its own affair.
- **dtypes**: floats are {", ".join(FLOATS)}; integers are {", ".join(INTEGERS)}.
- **directions**: all are {", ".join(DIRECTIONS)}.
- A framework's column names the callable that is timed; where several are joined by +, the parts.
- **reference** is what outputs are compared with, in float64.
"""


def main(arguments: Sequence[str]) -> int:
    """Write the documents, or check them."""
    code = 0
    for file, text in documents():
        if arguments != ["--check"]:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            print(STALE.format(folder=file.parent.name, file=file.name))
            code = 1
    return code


def documents() -> Iterator[tuple[Path, str]]:
    """Yield each file that is written, and its text."""
    yield FILE, document()
    yield PARITY, run_path(PEERS)["document"]()
    for shell, text in run_path(COMPLETIONS)["scripts"]():
        yield FOLDER / f"opperf.{shell}", text
    yield MANUAL, run_path(MANUAL_OF)["page"]()


def document() -> str:
    """Return the whole text."""
    kinds = [kind for kind in operators().values() if kind.__module__.startswith(OWN)]
    by_category: dict[str, list[Kind]] = defaultdict(list)
    for kind in kinds:
        by_category[kind.category].append(kind)
    sections = [section(name, members) for name, members in sorted(by_category.items())]
    return "\n".join(
        [HEAD.format(counts=counts(kinds)), *sections, *limitations(kinds), *requirements()]
    )


def counts(kinds: Sequence[Kind]) -> str:
    """Return how many operators there are, and what is missing on which framework."""
    missing = {name: [kind.name() for kind in kinds if not parts(kind, name)] for name in MEASURED}
    both = sum(not any(kind.name() in names for names in missing.values()) for kind in kinds)
    categories = len({kind.category for kind in kinds})
    lines = [
        f"{len(kinds)} operators in {categories} categories, {both} on {' and '.join(MEASURED)}."
    ]
    lines += [f"Not on {name}: {', '.join(names)}." for name, names in missing.items() if names]
    return "\n\n".join(lines)


def section(category: str, kinds: Sequence[Kind]) -> str:
    """Return a category: what its modules say, two tables, and what the declarations add."""
    modules = dict.fromkeys(getmodule(kind) for kind in kinds)
    said = [escaped(cleandoc(module.__doc__ or "")) for module in modules if module]
    remarks = [f"- {kind.name()}: {escaped(remark(kind))}" for kind in kinds if remark(kind)]
    paragraphs = [
        f"## {category}",
        *said,
        table(kinds, MAIN),
        "Other sizes, and where the numbers come from:",
        table(kinds, SOURCES),
    ]
    return "\n\n".join([*paragraphs, *(["\n".join(remarks)] if remarks else [])]) + "\n"


def table(kinds: Sequence[Kind], columns: Mapping[str, Callable[[Kind], str]]) -> str:
    """Return a Markdown table with a row an operator, unpadded: a change touches one line."""
    rows = [[*columns], ["---"] * len(columns)]
    rows += [[markdown(cell(kind)) for cell in columns.values()] for kind in kinds]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def sentence(text: str | None) -> str:
    """Return the first paragraph of a docstring in one line."""
    return " ".join(cleandoc(text or "").partition("\n\n")[0].split())


def rest(kind: Kind) -> str:
    """Return what an operator's docstring says beyond its first paragraph, in one line."""
    return " ".join(cleandoc(kind.__doc__ or "").partition("\n\n")[2].split())


def remark(kind: Kind) -> str:
    """Return what there is to add of an operator: the rest of its docstring, and its parts."""
    names = ", ".join(part.name() for part in kind().parts())
    return " ".join(filter(None, [rest(kind), f"Parts: {names}." if names else ""]))


def escaped(text: str) -> str:
    """Return paragraphs of text that Markdown shows as they are."""
    return "\n\n".join(markdown(paragraph) for paragraph in text.split("\n\n"))


def statement(function: object) -> str:
    """Return what a docstring says that a function returns, without the words around it."""
    return sentence(function.__doc__).removeprefix("Return ").removesuffix(".")


def inputs_of(operator: Declaration) -> str:
    """Return the shapes of an operator's inputs."""
    return inputs_text(convert(describe_inputs(operator), list[InputRecord]))


def given(kind: Kind, size: str) -> str:
    """Return the inputs of a size, and the attributes that are not those of typical."""
    operator, usual = kind(size=size), kind().keywords
    other = {name: value for name, value in operator.keywords.items() if value != usual[name]}
    texts = inputs_of(operator), attributes_text(other)
    return " ".join(filter(None, texts)) or MISSING


def dtypes(kind: Kind) -> str:
    """Return the element types, by group where they make one up."""
    for name, group in GROUPS.items():
        if set(kind.dtypes) == set(group):
            return name
    return ", ".join(kind.dtypes)


def directions(kind: Kind) -> str:
    """Return the directions, in a word where they are all."""
    found = kind.all_directions()
    return "all" if found == DIRECTIONS else ", ".join(found)


def parts(kind: Kind, framework: str) -> dict[str, str]:
    """Return the framework's callables: one, or a fused and an unfused one."""
    found = find_framework(framework)
    entry = found.table.get(kind.table_class())
    if isinstance(entry, Fusable):
        return {"fused: ": entry.fused.name, "unfused: ": entry.unfused.name}
    return {"": entry.name} if isinstance(entry, Implementation) else {}


def implementation(kind: Kind, framework: str) -> str:
    """Return the framework's callables, or why there is none."""
    named = "; ".join(f"{label}{name}" for label, name in parts(kind, framework).items())
    whole = [limit.note or limit.words for limit in find_framework(framework).limitations(kind)]
    return named or "; ".join(["not implemented", *whole])


def limited(kind: Kind) -> str:
    """Return the frameworks that cannot do all of it."""
    names = [name for name in BUILT_IN if find_framework(name).limitations(kind)]
    return ", ".join([*names, "see below"]) if names else MISSING


def reference(kind: Kind) -> str:
    """Return the reference: NumPy's name, or what our own function says it does."""
    function: Any = kind.reference
    module = getattr(function, "__module__", None) or "numpy"
    if module.startswith("numpy"):
        return f"numpy.{function.__name__}"
    return statement(function) or f"{module}.{function.__name__}"


def flops(kind: Kind) -> str:
    """Return how FLOP are counted: so many an element of the output, or what the count says."""
    count = kind.flops_per_element
    if kind.flop_count is not Declaration.flop_count or count is None:
        return statement(kind.flop_count)
    return f"{count} an element" if count else "none"


MAIN: Mapping[str, Callable[[Kind], str]] = {
    "operator": lambda kind: kind.name(),
    "purpose": lambda kind: sentence(kind.__doc__),
    "typical inputs": lambda kind: inputs_of(kind()) or MISSING,
    "attributes": lambda kind: attributes_text(kind().keywords) or MISSING,
    "FLOP": lambda kind: format_rate(kind().flop_count(), "").strip(),
    "bytes": lambda kind: format_bytes(kind().byte_count()),
    "dtypes": dtypes,
    "directions": directions,
    **{name: lambda kind, name=name: implementation(kind, name) for name in MEASURED},
    "limitations": limited,
}
SOURCES: Mapping[str, Callable[[Kind], str]] = {
    "operator": lambda kind: kind.name(),
    **{size: lambda kind, size=size: given(kind, size) for size in SIZES if size != "typical"},
    "reference": reference,
    "FLOP counted": flops,
}


def limitations(kinds: Sequence[Kind]) -> Iterator[str]:
    """Yield the section of known gaps, in the frameworks' own words."""
    yield (
        "## Known limitations\n\n"
        "A run reports these as `unsupported` without trying; where one holds beyond a size, the\n"
        "inputs given decide. Each command tries, at the smallest size that shows it, and prints\n"
        "what the framework makes of it. A limitation that no longer holds breaks the tests.\n"
    )
    for kind in kinds:
        for name in BUILT_IN:
            for limit in find_framework(name).limitations(kind):
                if limit.note or parts(kind, name) or name not in MEASURED:  # else listed above
                    yield limitation(kind, name, limit)


def requirements() -> Iterator[str]:
    """Yield the section of what a build needs of the processor."""
    yield (
        "## What the processor decides\n\n"
        "These are attempted. Where the processor lacks the instruction set or a variable forbids\n"
        "it, a run reports them as `unsupported`; where it is there, they have to work.\n"
    )
    for name in MEASURED:
        for need in find_framework(name).requirements:
            if need.known:
                yield requirement(name, need)


def requirement(framework: str, need: Requirement) -> str:
    """Return what needs an instruction set, and the framework's words without it."""
    rows = sorted(need.known)
    known = ", ".join(
        name if variant == "only" else f"{name} ({variant})" for name, variant in rows
    )
    where = " ".join([framework, *need.dtypes])
    return f'- **{where}** needs {markdown(need.requires)} ("{markdown(need.words)}"): {known}\n'


def limitation(kind: Kind, framework: str, limit: Limitation) -> str:
    """Return a gap: where it is, the framework's words, and a command that shows it."""
    forms = (limit.variant,) if limit.variant else ()
    sizes = (str(limit.beyond),) if limit.beyond else ()
    where = ", ".join([framework, *forms, *limit.directions, *limit.dtypes, *sizes])
    note = f"  {markdown(limit.note)}\n\n" if limit.note else ""
    return (
        f'- **{kind.name()}** ({markdown(where)}): "{markdown(limit.words)}"\n\n'
        f"{note}  `{attempt(kind, framework, limit)}`\n"
    )


def attempt(kind: Kind, framework: str, limit: Limitation) -> str:
    """Return the command that tries what a limitation says cannot be done.

    It names the smallest size that the limitation reaches, unless that is the small one, its
    default.
    """
    size = limit.smallest_size(kind, limit.dtypes[0] if limit.dtypes else "float32")
    words = [".venv/bin/python examples/attempt.py", kind.name(), framework]
    words += [f"--direction {limit.directions[0]}"] if limit.directions else []
    words += [f"--dtype {limit.dtypes[0]}"] if limit.dtypes else []
    words += [f"--size {size}"] if size not in {None, "small"} else []
    words += ["--unfused"] if limit.variant == "unfused" else []
    return " ".join(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

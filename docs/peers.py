"""The text of docs/parity.md: what two public benchmarks call our operators, and what is left out.

docs/generate.py writes and checks it, from the tables in docs/parity.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.core.configuration.file import parse_toml
from opperf.reporting.escaping import markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FOLDER = Path(__file__).with_name("parity")
PEERS = {
    "mxnet_opperf": "MXNet's opperf",
    "pytorch_operator_benchmark": "PyTorch's operator_benchmark",
}
HEAD = """\
# Parity with two public benchmarks

Written by `make docs` from docs/parity; do not edit it.

What MXNet's opperf (benchmark/opperf of MXNet 1.9.1) and PyTorch's operator_benchmark cover, and
which operators of opperf time it; what each of them is stands in [operators.md](operators.md). An
operator under another name, or with its arguments in another order, is one operator here. What is
left out stands at the end. `opperf list --coverage` counts against the frameworks themselves.
"""


def document() -> str:
    """Return the whole text."""
    left_out = read("left_out.toml")["left_out"]
    names = read("names.toml")
    sections = [section(title, names[peer]) for peer, title in PEERS.items()]
    return "\n".join([HEAD, *sections, gaps(left_out)])


def read(file: str) -> dict[str, Any]:
    """Return one of the tables."""
    return parse_toml(FOLDER.joinpath(file).read_text(encoding="utf-8"), file)


def section(title: str, names: Mapping[str, Sequence[str]]) -> str:
    """Return a peer's names and ours."""
    rows = [(name, ", ".join(ours)) for name, ours in names.items()]
    text = f"## {title}\n\n{len(names)} names.\n\n"
    return text + table(("its name", "operator"), rows)


def gaps(left_out: Sequence[Mapping[str, Any]]) -> str:
    """Return what is left out: a row a reason."""
    rows = [
        (
            ", ".join(entry["names"]),
            ", ".join(entry["frameworks"]) or "none",
            "; ".join(
                f"{title}: {', '.join(entry[peer])}"
                for peer, title in PEERS.items()
                if peer in entry
            ),
            entry["reason"],
        )
        for entry in left_out
    ]
    count = sum(len(entry["names"]) for entry in left_out)
    text = (
        f"## Left out\n\n{count} names, those among them that a peer covers, and why. A framework"
        " that merely falls back\nto NumPy has no such operator.\n\n"
    )
    return text + table(("names", "frameworks that have them", "peers", "reason"), rows)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table, unpadded: a change touches one line."""
    lines = [[*header], ["---"] * len(header), *([markdown(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)

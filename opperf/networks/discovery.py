"""Which networks there are, found in the text of files: nothing is imported for a list."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.core.errors import UsageError, error_text
from opperf.core.plugins import plug_ins

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FRAMEWORKS = ("mxnet", "pytorch")
GROUP = "opperf.networks"
"""The entry points of other packages: a framework's name, and the module or package of models."""
HERE = Path(__file__).parent
LIBRARIES = {"mxnet": ("model_zoo",), "pytorch": ("torchvision", "transformers")}
"""Whose models each framework makes by their names there, such as transformers:bert."""
MARK = "implements"
FORM = '@implements("ID", title="TITLE", parameters=NUMBER, ...), these three written out'


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A network of a framework: where it is defined, and what is known without importing it."""

    name: str
    framework: str
    title: str
    parameters: int | None
    path: Path
    module: str | None = None


def find_entries(framework: str, folders: Sequence[Path] = ()) -> dict[str, Entry]:
    """Return all networks of a framework by name: ours, those of other packages, of folders.

    Raises:
        UsageError: two files implement one name, or a file cannot be read.
    """
    found: dict[str, Entry] = {}
    for path, module in files_of(framework, folders):
        for entry in entries_of(path, framework, module):
            if earlier := found.get(entry.name):
                where = " and ".join(str(each.path) for each in (earlier, entry))
                raise UsageError(
                    f"model {entry.name!r} of {framework} is implemented twice, in {where}; "
                    "rename one of them"
                )
            found[entry.name] = entry
    return dict(sorted(found.items()))


def library_entry(name: str, framework: str) -> Entry | None:
    """Return a library's model, None where the name is of none; the library is not asked."""
    library, colon, inside = name.partition(":")
    if not colon or library not in LIBRARIES.get(framework, ()):
        return None
    return Entry(
        name=name, framework=framework, title=inside, parameters=None,
        path=HERE / framework / "libraries.py",
        module=f"{__name__.rpartition('.')[0]}.{framework}.libraries",
    )  # fmt: skip


def files_of(framework: str, folders: Sequence[Path]) -> Iterator[tuple[Path, str | None]]:
    """Yield the files that may implement networks, and their modules' names if they have one."""
    for path in sorted((HERE / framework).glob("[!_]*.py")):
        yield path, f"{__name__.rpartition('.')[0]}.{framework}.{path.stem}"
    for point in plug_ins(GROUP, framework):
        yield from modules_of(point.value)
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"--model-dir {folder}: is no folder")
        yield from ((path, None) for path in sorted((folder / framework).glob("[!_]*.py")))


def modules_of(name: str) -> Iterator[tuple[Path, str | None]]:
    """Yield the file of a module, or those of a package, without importing any of them."""
    top, *rest = name.split(".")
    spec = find_spec(top)
    places = [Path(each) for each in (spec and spec.submodule_search_locations) or ()]
    folders = [place.joinpath(*rest) for place in places]
    alone = [folder.with_suffix(".py") for folder in folders if rest]
    if spec and spec.origin and not places:
        alone = [Path(spec.origin)]
    for folder in filter(Path.is_dir, folders):
        yield from ((path, f"{name}.{path.stem}") for path in sorted(folder.glob("[!_]*.py")))
    found = [*filter(Path.is_file, alone)]
    yield from ((path, name) for path in found)
    if not found and not any(map(Path.is_dir, folders)):
        raise UsageError(
            f"entry point {GROUP} names {name!r}, which is no module; mend or uninstall it"
        )


def entries_of(path: Path, framework: str, module: str | None) -> Iterator[Entry]:
    """Yield the networks that a file implements, as its text says.

    Raises:
        UsageError: it is no Python, or a mark does not write out what it says.
    """
    try:
        tree = ast.parse(path.read_bytes(), str(path))
    except (SyntaxError, ValueError, OSError) as error:
        raise UsageError(f"{path} cannot be read: {error_text(error)}") from None
    for node in tree.body:
        for mark in node.decorator_list if isinstance(node, ast.ClassDef) else ():
            if is_mark(mark):
                yield Entry(framework=framework, path=path, module=module, **facts_of(mark, path))


def is_mark(node: ast.expr) -> bool:
    """Return whether a decorator is `implements(...)`."""
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "id", getattr(function, "attr", None)) == MARK


def facts_of(mark: Any, path: Path) -> dict[str, Any]:
    """Return what a mark says: name, title and number of parameters."""
    given = {"name": mark.args[0]} if len(mark.args) == 1 else {}
    given |= {each.arg: each.value for each in mark.keywords if each.arg in ("title", "parameters")}
    values = {key: getattr(node, "value", Ellipsis) for key, node in given.items()}
    facts = {"parameters": None, **values}
    right = (
        isinstance(facts.get("name"), str)
        and isinstance(facts.get("title"), str)
        and (facts["parameters"] is None or type(facts["parameters"]) is int)
    )
    if not right:
        raise UsageError(f"{path}, line {mark.lineno}: must be {FORM}")
    return facts

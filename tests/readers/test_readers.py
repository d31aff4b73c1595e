"""Every stored format, damaged in every field, and every verb that reads it: one line, no more.

`benchmarks/fuzz_readers.py` does the same for as long as one likes.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from msgspec import Struct

from opperf.cli.parser import VERBS
from opperf.core.results.result import Result
from tests.readers import documents
from tests.readers.verbs import READ_NO_STORED_FORMAT, READERS
from tests.readers.workshop import FILES, Tally, Workshop, folder_in_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

SAMPLE = 200
"""Damaged documents; the sequence is the same each time."""


def test_every_verb_is_known() -> None:
    """One that is added has to say what it reads."""
    assert VERBS.keys() == READERS.keys() | READ_NO_STORED_FORMAT.keys()
    assert not READERS.keys() & READ_NO_STORED_FORMAT.keys()
    read = {kind for by_kind in READERS.values() for kind in by_kind}
    assert read == {kind for kind, _ in FILES.values()} | {"store"}


def test_no_damaged_document_ends_in_anything_but_a_line() -> None:
    """No traceback, no hang, no exit code that is not documented, nothing that a terminal obeys."""
    tally = Tally()
    with folder_in_memory() as folder:
        Workshop(folder).attack(SAMPLE, tally)
    assert tally.inputs == SAMPLE
    assert set(tally.formats) == {*FILES, "store cell"}
    assert not tally.troubles, "\n".join(tally.troubles)


def test_the_documents_have_every_field() -> None:
    """A field that the schema gets has to come into what is damaged."""
    assert set(missing(Result, documents.record())) == {
        "operator.companion",
        "operator.declaration",
    }


def missing(kind: Any, document: Any, place: str = "") -> Iterator[str]:
    """Yield the fields of a class that a document lacks."""
    for name, hint in get_type_hints(kind).items():
        found = document.get(name)
        if name not in document:
            yield f"{place}{name}"
        for part in (hint, *get_args(hint)):
            if isinstance(part, type) and issubclass(part, Struct):
                inner = found[0] if isinstance(found, list) else found
                yield from missing(part, inner, f"{place}{name}.")


def test_the_script_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And what is in trouble is its exit code."""
    path = Path(__file__).parents[2] / "benchmarks" / "fuzz_readers.py"
    spec = importlib.util.spec_from_file_location("fuzz_readers", path)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    monkeypatch.setattr("sys.argv", [str(path), "9", "1"])
    assert script.main() == 0
    assert "9 damaged documents (seed 1)" in capsys.readouterr().out

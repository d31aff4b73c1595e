"""Every verb that reads a stored format, carried out in this process, and how it ends."""

from __future__ import annotations

import io
import os
import signal
import unicodedata
import warnings
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING
from unittest.mock import patch

from opperf.cli import main
from opperf.cli.parser import EPILOG
from tests.calls.traces import KNOWN
from tests.conftest import told
from tests.readers.documents import AB, ARMS, OTHER, RUN, SWEEP

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

STORE = ("--store", "results.db")
OUT = ("--output-file", "out", "--force", "--output-format")
PAGES = tuple(("--force", f"--{form}", f"out.{form}") for form in ("html", "md", "csv", "junit"))
TRACE = ("--force", "--chrome-trace", "out.trace")
EXPORTS = ("json", "jsonl", "csv", "pytest-benchmark", "google-benchmark", "pytorch-benchmark",
           "bencher", "github-action-benchmark")  # fmt: skip
Words = tuple[str, ...]

READERS: dict[str, dict[str, Sequence[Words]]] = {
    "show": {
        "run": [(RUN,), (RUN, "--statistics"), (RUN, "--against", OTHER), (OTHER, "--against", RUN),
                (RUN, "--format", "csv"), (RUN, "--format", "json"), (RUN, "--format", "md"),
                (RUN, "-k", "dtype=float32 and status=ok")],
        "sweep": [(SWEEP,)],
        "comparison": [(AB,), (AB, "--format", "json"), (AB, "-k", "name=Add")],
        "arms": [(ARMS,), (ARMS, "--format", "json"), (ARMS, "-k", "name=Add")],
        "saved": [("saved.json",)],
        "store": [("last", *STORE), ("night-05", "--format", "json", *STORE)],
    },
    "report": {
        "run": [*((RUN, *form) for form in (*PAGES, TRACE)), (OTHER, RUN, *PAGES[0]),
                (RUN, OTHER, *PAGES[1])],
        "sweep": [(SWEEP, *PAGES[0])],
        "comparison": [(AB, *form) for form in PAGES],
        "arms": [(ARMS, *form) for form in PAGES],
        "saved": [("saved.json", *PAGES[0])],
        "verdicts": [("--ab", "verdicts.json", *form) for form in PAGES],
        "store": [("--since", "2026-01-01", *PAGES[0], *STORE)],
    },
    "compare": {
        "run": [(RUN, OTHER), (OTHER, RUN, "--strict"), (RUN, RUN, "--format", "json")],
        "comparison": [(AB, RUN)],
        "saved": [("saved.json", RUN)],
        "store": [("night-05", "night-13", *STORE)],
    },
    "export": {
        "run": [(RUN, *OUT, form) for form in EXPORTS],
        "comparison": [(AB, *OUT, "csv")],
        "saved": [("saved.json", *OUT, "csv")],
        "store": [("last", *OUT, form, *STORE) for form in ("csv", "jsonl")],
    },
    "import": {
        "run": [(RUN, *STORE), (OTHER, RUN, *STORE)],
        "sweep": [(SWEEP, *STORE)],
        "comparison": [(AB, *STORE)],
        "saved": [("saved.json", *STORE)],
        "store": [(RUN, *STORE), ("runs/night-05", *STORE)],
    },
    "resume": {"run": [(RUN,), (RUN, "--unreliable")], "sweep": [(SWEEP,)], "comparison": [(AB,)],
               "arms": [(ARMS,)]},
    "history": {"store": [("Add", *STORE), ("Add", "--format", "json", *STORE),
                          ("Exp", "--since", "2026-09-05", *STORE)]},
    "changes": {"store": [STORE, ("--since", "2026-09-10", *STORE),
                          ("--since", "2026-01-01", "--format", "json", *STORE)]},
    "baseline": {"store": [("show", *STORE), ("set", "last", *STORE), ("set", "night", *STORE),
                           ("note", "2026-09-03", "new kernel", "--remove", *STORE),
                           ("ack", "CHANGE", "--until", "2030-01-01", *STORE)]},
    "list": {"calls": [("--calls", "toy.calls.json"),
                       ("--calls", "toy.calls.json", "toy.txt", "--format", "json")],
             "trace": [("--calls", "toy.trace.json")],
             "log": [("--calls", "toy.txt"), ("--calls", "toy.txt", "--format", "csv")]},
    "db": {"store": [("hosts", *STORE), ("hosts", "--format", "json", *STORE),
                     ("verify", *STORE), ("verify", *STORE), ("gc", *STORE), ("migrate", *STORE),
                     ("gc", "--samples-before", "2026-09-05", *STORE), ("init", *STORE),
                     ("merge", "results.db", "--store", "other.db"),
                     ("merge", "other.db", *STORE)]},
}  # fmt: skip
"""By verb and by what was damaged: the words behind the verb."""
AFTER_IMPORT: Sequence[Words] = (
    ("history", "Add", *STORE), ("changes", "--since", "9999d", *STORE), ("db", "verify", *STORE),
    ("show", "last", *STORE), ("baseline", "show", *STORE),
)  # fmt: skip
"""What reads a store into which something damaged may have come."""
READ_NO_STORED_FORMAT = {
    "run": "it measures", "ab": "it measures", "method": "it measures", "profile": "it captures",
    "bisect": "its own state, which tests/commits/bisection damages",
    "model": "it trains, by the text of modules: tests/networks",
    "spec": "specifications, which tests/specs/format damages",
    "task": "tasks files, which tests/tasks damages", "venv": "environments",
    "machine": "what engines of machines say",
    "fleet": "certificates, which tests/fleet/security damages",
    "doctor": "the machine", "env": "the machine", "config": "the configuration",
    "follow": "the journal of a driver, which tests/commits damages",
    "schema": "what ships with the package", "completion": "what ships with the package",
    "send": "a spool, which tests/specs/reporters damages",
    "plot": "samples of processes, which tests/methods damages",
}  # fmt: skip
EXIT_CODES = {0, 1, 2, 10, 11, 12, 13, 14}
assert all(f"{code} " in EPILOG for code in EXIT_CODES)  # as the help documents them

PATIENCE = 60.0


class HungError(BaseException):
    """A command took longer than anybody waits."""


@dataclass
class Ending:
    """How a command ended: its exit code, or what is wrong with how it did."""

    code: int | None = None
    trouble: str | None = None


def carry_out(words: Words) -> Ending:
    """Carry a command out as `opperf` would, but for measuring, and look at how it ends."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in "12")
    try:
        with measuring_nothing(), redirect_stdout(out), redirect_stderr(err), patient():
            code = main(words)
    except SystemExit as ending:
        code = int(str(ending.code))
    except HungError:
        return Ending(trouble=f"hang of {PATIENCE:g} s")
    except BaseException as error:  # noqa: BLE001 - a traceback, of whichever kind
        return Ending(trouble=f"traceback: {last_place(error)}: {type(error).__name__}: {error}")
    said = [stream.buffer.getvalue().decode() for stream in (out, err) if not stream.flush()]
    return Ending(code, told_wrongly(code, *said))


def last_place(error: BaseException) -> str:
    """Return where an error was raised, the last place of our own."""
    place, trace = "", error.__traceback__
    while trace:
        name = trace.tb_frame.f_code.co_filename
        if f"{os.sep}opperf{os.sep}" in name and "site-packages" not in name:
            place = f"{name.rpartition('opperf/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def told_wrongly(code: int, out: str, err: str) -> str | None:
    """Return what is wrong with what a command printed."""
    if code not in EXIT_CODES:
        return f"exit {code}"
    if code in {1, 2} and not err:
        return f"exit {code} and not a word"
    allowed = ("opperf", "  ")  # what is indented is a filter, and a caret below it
    if wrong := [line for line in told(err) if not line.startswith(allowed)]:
        return f"a line of stderr that is none of opperf's: {wrong[0][:80]!r}"
    if len(told(err)) > 30:
        return f"{len(told(err))} lines of stderr"
    if any(obeyed(letter) for letter in out + err):
        return "a control character on the terminal"
    return None


def obeyed(letter: str) -> bool:
    """Return whether a terminal would obey a character."""
    return letter not in "\n\r\t" and unicodedata.category(letter) in {"Cc", "Cf", "Cs"}


@contextmanager
def patient() -> Iterator[None]:
    """End what takes longer than `PATIENCE`."""

    def end(_number: int, _frame: object) -> None:
        raise HungError

    kept = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a warning of NumPy is three lines on stderr
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, kept)


@contextmanager
def measuring_nothing() -> Iterator[None]:
    """Let `resume` go as far as to know what it would measure."""
    with (
        patch("opperf.cli.verbs.resume.conduct", lambda *_: 0),
        patch("opperf.cli.pairs.comparison.compete", lambda *_: 0),
        patch("opperf.calls.reading.reading.overloads", lambda _: KNOWN),
        patch("opperf.measuring.campaign.Campaign.children", lambda *_: nullcontext()),
        patch("opperf.measuring.campaign.Campaign.packages", lambda *_: {"numpy": "1.26.4"}),
    ):
        yield

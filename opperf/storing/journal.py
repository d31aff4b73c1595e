"""The journal: results.jsonl of one run, append-only, with one writer at a time."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from errno import EDQUOT, EFBIG, ENOSPC
from typing import TYPE_CHECKING, Generic, final

from opperf.core.disk import sync_directory, write_through
from opperf.core.errors import UsageError
from opperf.core.results.pair import Pair, pair_from
from opperf.core.results.reading import from_mapping
from opperf.core.results.result import Result
from opperf.storing.document import make_encodable
from opperf.storing.errors import StorageError
from opperf.storing.lines import parse_json
from opperf.storing.reading import FileContents, R, read, read_records

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from io import FileIO
    from pathlib import Path
    from types import TracebackType

    from typing_extensions import Self

__all__ = ["FileContents", "Journal", "read"]

FULL = (ENOSPC, EDQUOT, EFBIG)
"""The errors of a full disk, a used-up quota and a limit on the size of files."""


class RecordFile(Generic[R]):
    """A file of records that is open for appending, and closed to every other process.

    A torn last line is cut off first: otherwise the next result would continue it. `found` is what
    the file held, with a warning if a line was cut off; `understand` makes a record of a line's
    JSON.

    Raises:
        UsageError: The file is damaged, cannot be written, or is open in another process.
    """

    def __init__(self, path: Path, understand: Callable[[object], R]) -> None:
        self.path = path
        self.understand = understand
        with ExitStack() as stack:
            try:
                self.file = stack.enter_context(path.open("a+b", buffering=0))
                lock(self.file, path)
                self.found = read_records(path, understand)
                self.size = self.found.size
                self.file.truncate(self.size)
                sync_directory(path.parent)
            except OSError as error:
                raise UsageError(f"cannot write {path}: {error.strerror}") from error
            self.stack = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, and let other processes write it."""
        self.stack.close()

    def append(self, results: Sequence[R]) -> None:
        """Store the results of one operator; once this returns, they survive even a power cut.

        Raises:
            StorageError: They cannot be stored; none of them is, and all earlier ones still are.
        """
        data = b"".join(self.encode(result) for result in results)
        self.check_unchanged()
        try:
            write_through(self.file, data)
            self.size += len(data)
        except BaseException as error:
            self.undo()
            if isinstance(error, OSError):
                raise StorageError(self.explain(error)) from error
            raise

    def encode(self, result: R) -> bytes:
        """Return the result's line, which is sure to be readable again."""
        try:
            line = make_encodable(result.to_json()).encode() + b"\n"
            self.understand(parse_json(line))
        except (TypeError, ValueError, RecursionError) as error:
            what = f"{result.operator.name} ({result.operator.framework})"
            raise StorageError(f"cannot store the result of {what}: {error}") from error
        return line

    def check_unchanged(self) -> None:
        """Refuse a file that another program removed or changed, or that undo() could not mend."""
        state = os.fstat(self.file.fileno())
        if state.st_nlink == 0 or state.st_size != self.size:
            what = "removed" if state.st_nlink == 0 else "changed"
            raise StorageError(f"cannot write {self.path}: it was {what} since this run opened it")

    def undo(self) -> None:
        """Remove what a failed write left; where even that fails, the next opening does it."""
        with suppress(OSError):
            self.file.truncate(self.size)
            os.fsync(self.file)

    def explain(self, error: OSError) -> str:
        """Return the one line that says why results were not stored, and what to do."""
        remedy = "free space" if error.errno in FULL else "mend the disk"
        resume = f"opperf resume {self.path.absolute().parent.name}"
        return f"cannot write {self.path}: {error.strerror}; {remedy}, then `{resume}`"


@final
class Journal(RecordFile[Result]):
    """The results of a run."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, from_mapping)


@final
class PairJournal(RecordFile[Pair]):
    """The pairs of a comparison, in the results file of its run directory."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, pair_from)


def lock(file: FileIO, path: Path) -> None:
    """Take the file for this process, until it is closed or the process ends in any way."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock

        flock(file, LOCK_EX | LOCK_NB)
    except BlockingIOError as error:
        run = path.absolute().parent.name
        remedy = f"wait until it ends, or stop it ({path})"
        raise UsageError(f"run {run} is being written by another process; {remedy}") from error
    except (ImportError, OSError):
        return  # Windows, or a file system such as Lustre that may know no locks: runs work there

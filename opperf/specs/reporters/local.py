"""Results as a tree: platform/framework/net/metric/id/year/month/day/commit/n."""

from __future__ import annotations

from errno import EEXIST, ENOTEMPTY
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.core.disk import sync_directory, write_whole
from opperf.core.errors import UsageError, quote_path
from opperf.fetching.places import explaining, holding, read_facts, workshop
from opperf.specs.reporters.json_bytes import to_json
from opperf.specs.reporters.names import folder_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from opperf.specs.reporters.meta import Meta

DATA, META = "data.jsonl", "meta.json"
MAKING = ".opperf-reports"
NO_COMMIT = "no-commit"


class LocalReporter:
    """Writes each report into a folder of its own, whose number is one above the last.

    `data.jsonl` has a record a line, as the results.jsonl of a run has, and is read by the same
    verbs; `meta.json` is what they have in common.

    Raises:
        UsageError: the folder cannot be one.
    """

    def __init__(self, target: str) -> None:
        if not target:
            raise UsageError("--local_reporter: a folder is needed, such as reports")
        self.root = Path(target).expanduser()
        if self.root.exists() and not self.root.is_dir():
            raise UsageError(f"--local_reporter {quote_path(self.root)}: it is no folder")

    def report(self, records: Sequence[Mapping[str, Any]], meta: Meta) -> str:
        """Write a report, as a whole or not at all."""
        if not records:
            return "no records: nothing is written"
        files = {
            META: to_json(meta.to_dict(), indent=2) + b"\n",
            DATA: b"".join(to_json(record) + b"\n" for record in records),
        }
        making = self.root / MAKING
        remedy = "free space, or name another folder"
        with (
            explaining(f"write into {quote_path(self.root)}", remedy),
            holding(making / "lock"),
            workshop(making) as made,
        ):
            folder = self.folder_of(meta)
            last = max(numbers(folder), default=-1)
            if meta.key and read_facts(folder / str(last) / META).get("key") == meta.key:
                return f"is there already: {quote_path(folder / str(last))}"
            report = made / "report"
            report.mkdir()
            for name, data in files.items():
                write_whole(report / name, data)
            return f"written: {quote_path(place(report, folder, last + 1))}"

    def folder_of(self, meta: Meta) -> Path:
        """Return the folder of a report's commit, which is made where it is not there."""
        day, folder = meta.day, self.root
        for name in (
            meta.platform, meta.framework, meta.net, meta.metric, meta.identifier,
            str(day.year), str(day.month), str(day.day), meta.commit or NO_COMMIT,
        ):  # fmt: skip
            folder /= folder_name(name, (path.name for path in folder.iterdir()))
            folder.mkdir(exist_ok=True)
        return folder


def numbers(folder: Path) -> list[int]:
    """Return the numbers of the reports in a folder."""
    names = (path.name for path in folder.iterdir())
    return [int(name) for name in names if name.isascii() and name.isdigit()]


def place(report: Path, folder: Path, first: int) -> Path:
    """Move a report to the first free number of a folder.

    The rename fails where a report is: one that another machine has written meanwhile stays.
    """
    number = first
    while not is_moved(report, folder / str(number)):
        number += 1
    sync_directory(folder)
    return folder / str(number)


def is_moved(report: Path, target: Path) -> bool:
    """Return whether a report could be moved to where no other is."""
    try:
        report.rename(target)
    except OSError as error:
        if error.errno not in {EEXIST, ENOTEMPTY}:
            raise
        return False
    return True

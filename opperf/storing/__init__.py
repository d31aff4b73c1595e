"""Runs on disk: a directory each, with a manifest, a journal of results and the logs."""

from opperf.storing.errors import StorageError
from opperf.storing.journal import Journal, PairJournal
from opperf.storing.reading import FileContents, read, read_records, read_whole
from opperf.storing.run_directory import RunDirectory

__all__ = [
    "FileContents",
    "Journal",
    "PairJournal",
    "RunDirectory",
    "StorageError",
    "read",
    "read_records",
    "read_whole",
]

"""Runs on disk: a directory each, with a manifest, a journal of results and the logs."""

from opperf.storing.errors import StorageError
from opperf.storing.journal import Journal
from opperf.storing.reading import Reading, read
from opperf.storing.run_directory import RunDirectory

__all__ = ["Journal", "Reading", "RunDirectory", "StorageError", "read"]

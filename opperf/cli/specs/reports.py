"""Reporting the results of specifications' tests, those of one test together."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from opperf.cli.specs.reporters import report_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opperf.core.results.result import Result
    from opperf.specs.reporters.meta import Meta, Reporter


@dataclass
class SpecReports:
    """Whom results are reported to, what is said of each test, and whether a report failed."""

    reporters: Sequence[Reporter]
    metas: dict[str, Meta] = field(default_factory=dict)
    failed: int = 0

    def report(self, results: Sequence[Result]) -> None:
        """Report the results, those of one test together."""
        groups: dict[str, list[Result]] = {}
        for result in results:
            groups.setdefault(key_of(result.meta or {}), []).append(result)
        for key, group in groups.items():
            records = [result.to_mapping() for result in group]
            self.failed |= report_all(self.reporters, records, self.metas[key])


def key_of(meta: object) -> str:
    """Return what tells a test's meta from another's."""
    return json.dumps(meta, sort_keys=True)

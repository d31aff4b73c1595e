"""What `opperf ab` has stored: the evidence of all sessions so far, by the rules of that day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opperf.comparing.campaign import Evidence, Rules
from opperf.comparing.rounds.evidence import ArmsEvidence
from opperf.comparing.row import rows_of
from opperf.core.results.pair import pair_from
from opperf.storing import read_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opperf.comparing.row import ComparedRow
    from opperf.core.results.pair import Pair
    from opperf.storing import RunDirectory


def evidence_of(manifest: Mapping[str, Any], pairs: Iterable[Pair]) -> Evidence | ArmsEvidence:
    """Return what pairs of processes say, of two arms or of several, the reference first."""
    rules = Rules(**manifest["rules"])
    found: Evidence | ArmsEvidence = Evidence(rules)
    if "reference" in manifest:
        names = dict.fromkeys([manifest["reference"], *manifest["arms"]])
        found = ArmsEvidence.of(rules, names)
    found.add(pairs)
    return found


def stored_rows(directory: RunDirectory) -> tuple[Rules, Sequence[ComparedRow], str | None]:
    """Return a comparison's rules, its verdicts, and what of its file is damaged."""
    reading = read_whole(directory.results_path, pair_from)
    evidence = evidence_of(directory.manifest(), reading.results)
    rows = evidence.rows() if isinstance(evidence, ArmsEvidence) else rows_of(evidence)
    return evidence.rules, rows, reading.warning

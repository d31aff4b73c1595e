"""A stored comparison of arms, as a report shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.cli.common.exit_codes import EMPTY
from opperf.cli.common.messages import say
from opperf.cli.pairs.arms import kept_entries
from opperf.cli.pairs.comparison import stored_verdicts
from opperf.cli.pairs.environments import environments_of_arms
from opperf.reporting.comparison import ComparisonReport
from opperf.reporting.verdicts import verdict_of

if TYPE_CHECKING:
    from opperf.core.filters.language import Filter
    from opperf.storing import RunDirectory


def comparison_of_arms(directory: RunDirectory, condition: Filter) -> ComparisonReport | int:
    """Return what was chosen of a comparison of arms, as far as it came; an exit code for none."""
    rules, total = stored_verdicts(directory, condition)
    if not total.rows:
        say(f"no pair of {directory.run_id} matches")
        return EMPTY
    manifest = directory.manifest()
    found = environments_of_arms(directory)
    several = kept_entries(manifest) if "reference" in manifest else {}
    texts = {name: str(arm["text"]) for name, arm in manifest["arms"].items()}
    return ComparisonReport(
        verdicts=[verdict_of(row) for row in total.rows],
        min_effect=rules.min_effect,
        names=None if several else (texts["a"], texts["b"]),
        arms={name: texts[name] for name in several},
        environments=[[found[name]] if name in found else [] for name in several or texts],
        interleaved=True,
        command=str(manifest.get("command", "")),
        began=str(manifest.get("created_at", "")),
    )

"""Parameters that a file declares beside the standard ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import UsageError, quote, unknown
from opperf.networks.experiments.parameter import CONVERTED, ExperimentParameter
from opperf.networks.experiments.pattern import match_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

KEYS = ("val", "type", "desc", "val_domain", "val_regex")


def declare(
    name: str, row: Mapping[str, object], others: Mapping[str, ExperimentParameter]
) -> ExperimentParameter:
    """Return the parameter that a file declares by its val, type and desc.

    Raises:
        UsageError: Something of it is wrong; names the parameter.
    """
    if name in others:
        raise UsageError(f"{name}: is declared already; give its value only")
    for key in row:
        if key not in KEYS:
            raise UsageError(f"{name}: {unknown('key', key, KEYS)}")
    kind = row.get("type", "str")
    if kind not in CONVERTED:
        raise UsageError(f"{name}: {unknown('type', kind, CONVERTED)}")
    domain, form = row.get("val_domain", []), row.get("val_regex", "")
    if not isinstance(domain, list) or not isinstance(form, str):
        raise UsageError(f"{name}: val_domain must be a list, and val_regex a text")
    desc = row.get("desc", "")
    text = " ".join(map(str, desc)) if isinstance(desc, list) else str(desc)
    if not text.isprintable():
        raise UsageError(f"{name}: {quote(text)} has unprintable characters")
    try:
        match_whole(form, "")
        bare = ExperimentParameter(name=name, type=str(kind), default="")
        values = tuple(bare.convert(value) for value in domain)
        parameter = ExperimentParameter(
            name=name, type=str(kind), default="", description=text, domain=values, form=form
        )
        return ExperimentParameter(**{**vars(parameter), "default": parameter.check(row["val"])})
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from None

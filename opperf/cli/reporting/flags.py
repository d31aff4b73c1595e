"""The flags of `opperf report`, one a form: `--html FILE`, `--csv FILE`, those of plug-ins."""

from __future__ import annotations

from argparse import Action, ArgumentError
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opperf.cli.common.messages import say
from opperf.core.errors import UsageError
from opperf.reporting.built_in import FORMS
from opperf.reporting.comparison import ComparisonReport
from opperf.reporting.registry import find_form, forms_of, owner, plug_ins, refuse_taken
from opperf.reporting.subjects import Past, Run

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from opperf.reporting.form import Form

SUBJECTS = (Run, ComparisonReport, Past)
"""What a report is of."""


class FileOfForm(Action):
    """Puts the file of a form into `files`, by the flag's name."""

    def __call__(self, _parser: Any, namespace: Namespace, values: Any, flag: Any = None) -> None:
        """Add the file; the last one counts where a flag is given twice."""
        namespace.files = {**namespace.files, str(flag).removeprefix("--"): Path(values)}


def add_forms(parser: ArgumentParser) -> None:
    """Add a flag a form; a plug-in is imported once its flag is used."""
    for name, purpose in purposes().items():
        try:
            parser.add_argument(
                f"--{name}", dest="files", action=FileOfForm, default={}, metavar="FILE",
                help=purpose,
            )  # fmt: skip
        except ArgumentError:  # noqa: PERF203 - a dozen flags
            say(f"--{name} is a flag already, and none of the output form of {purpose}; rename it")


def purposes() -> dict[str, str]:
    """Return what each form is, by its name."""
    found: dict[str, dict[str, None]] = {}
    for form in FORMS:
        if not {*SUBJECTS}.isdisjoint(form.subjects):
            found.setdefault(form.name, {})[form.help] = None
    for point in plug_ins():
        found.setdefault(point.name, {owner(point): None})
    return {name: ", or ".join(texts) for name, texts in found.items()}


def require_some(arguments: Namespace) -> dict[str, Path]:
    """Return the file of each form that was asked for.

    Raises:
        UsageError: There is none, no step summary and no comment either; or two have the same file.
    """
    files: dict[str, Path] = arguments.files
    if not files and not arguments.github and arguments.comment is None:
        forms = ", --".join(purposes())
        raise UsageError(f"nothing to write: give --{forms}, --github or --comment")
    if len({*files.values()}) < len(files):
        raise UsageError("two forms cannot be written to the same file; give each its own")
    return files


def form_for(name: str, subject: type) -> Form:
    """Return the form of this name of what is shown.

    Raises:
        UsageError: There is none, or it cannot be written here.
    """
    refuse_taken(name)
    form = find_form(name, subject)
    if form is None:
        offered = ", ".join(forms_of(subject))
        raise UsageError(f"--{name}: there is none of this; there is {offered}")
    form.require()
    return form

"""The names of output forms, as an option's choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opperf.core.errors import UsageError
from opperf.reporting.built_in import FORMS
from opperf.reporting.registry import find_form, plug_ins, refuse_taken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opperf.reporting.form import Form


class Choices:
    """The names of forms of some subjects, as argparse takes them: looked up where they are needed.

    A plug-in is imported where its form is asked for by name, or where all are listed.
    """

    def __init__(self, *subjects: type, printable: bool = False) -> None:
        """Take the subjects, and whether the form must be printable, as bytes cannot be."""
        self.subjects = subjects
        self.printable = printable

    def __contains__(self, name: str) -> bool:
        """Say whether there is such a form, one that can be written on this machine.

        Raises:
            UsageError: It cannot; or its plug-in cannot be loaded, or several packages claim it.
        """
        form = self.find(name)
        if form is not None:
            form.require()
        return form is not None

    def __iter__(self) -> Iterator[str]:
        """Yield the names of all forms; a broken plug-in's raises its error when it is used."""
        names = (*(form.name for form in FORMS), *(point.name for point in plug_ins()))
        return filter(self.is_listed, dict.fromkeys(names))

    def find(self, name: str) -> Form | None:
        """Return the form of this name, or None."""
        refuse_taken(name)
        form = find_form(name, *self.subjects)
        return None if form is None or (self.printable and form.binary) else form

    def is_listed(self, name: str) -> bool:
        """Say whether a name may be asked for, whatever comes of it."""
        try:
            return self.find(name) is not None
        except UsageError:
            return True

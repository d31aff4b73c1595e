"""The forms of output by name: opperf's own, and those of installed plug-ins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from opperf.core import plugins
from opperf.core.errors import UsageError, unknown
from opperf.core.plugins import plugin_errors, removal
from opperf.reporting.built_in import FORMS
from opperf.reporting.form import Form
from opperf.reporting.subjects import NAMES

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint

GROUP = "opperf.reporters"
OWN = frozenset(form.name for form in FORMS)


def plug_ins(name: str | None = None) -> tuple[EntryPoint, ...]:
    """Return the entry points of further forms, or of those of one name."""
    return plugins.plug_ins(GROUP, name)


def find_form(name: str, *subjects: type) -> Form | None:
    """Return the form of this name of the first of the subjects that has one, None for no such.

    Plug-ins are looked for only where the name is not one of opperf's own.
    """
    forms = [form for form in FORMS if form.name == name]
    if not forms:
        refuse_taken(name)
        forms = [form_of(point) for point in plug_ins(name)]
    fitting = (form for kind in subjects for form in forms if kind in form.subjects)
    return next(fitting, None)


def require_form(name: str, subject: type, kind: str = "format") -> Form:
    """Return the form of this name of a subject.

    Raises:
        UsageError: There is none; names the nearest and what there is.
    """
    form = find_form(name, subject)
    if form is None:
        raise UsageError(unknown(kind, name, forms_of(subject), f" of {NAMES[subject]}"))
    return form


def forms_of(*subjects: type) -> dict[str, Form]:
    """Return every form of the subjects by its name, those of plug-ins last.

    Raises:
        UsageError: A plug-in cannot be loaded.
    """
    found: dict[str, Form] = {}
    for form in (*FORMS, *(form_of(point) for point in plug_ins() if point.name not in OWN)):
        if any(kind in form.subjects for kind in subjects):
            found.setdefault(form.name, form)
    return found


def refuse_taken(name: str) -> None:
    """Refuse a name that several packages give to a form.

    Raises:
        UsageError: Names them, and how to be rid of the plug-in.
    """
    points = plug_ins(name)
    owners = [*(["opperf"] if name in OWN else []), *map(owner, points)]
    if points and len(owners) > 1:
        raise UsageError(
            f"output form {name!r} is declared by {' and by '.join(owners)}; rename that of "
            f"{owners[-1]}, or uninstall it{removal(points[-1])}"
        )


def owner(point: EntryPoint) -> str:
    """Return "opperf-toy (opperf_toy.forms:FORM)", the distribution of a plug-in and its object."""
    return f"{point.dist.name} ({point.value})" if point.dist else str(point.value)


def form_of(point: EntryPoint) -> Form:
    """Return the form that an entry point names.

    Raises:
        UsageError: It cannot be loaded, or is none.
    """
    with plugin_errors(point):
        found = point.load()
        if not isinstance(found, Form):
            raise UsageError(
                f"it is {type(found).__name__}, and must be a Form of opperf.reporting.form"
            )
        if found.name != point.name:
            raise UsageError(f"its form is called {found.name!r}, and must be called as it is")
    return replace(
        found,
        write=guard(point, found.write, "cannot write"),
        require=guard(point, found.require, "cannot be used here"),
    )


def guard(point: EntryPoint, function: Callable[..., None], fault: str) -> Callable[..., None]:
    """Return a plug-in's function whose errors name the plug-in; a full disk is none of its."""

    def call(*arguments: Any) -> None:
        try:
            function(*arguments)
        except (OSError, UsageError):
            raise
        except BaseException:
            with plugin_errors(point, fault):
                raise

    return call


def form_by_suffix(suffix: str, subject: type) -> tuple[Form | None, list[str]]:
    """Return the form that files of this ending have, and the names to choose from otherwise.

    A form's name is an ending as well, and comes first: ".json" is json, whatever else ends so.
    """
    ending = suffix.lower()
    form = find_form(ending.removeprefix("."), subject)
    if form is not None:
        return form, [form.name]
    forms = forms_of(subject)
    fitting = [name for name, each in forms.items() if ending and each.suffix == ending]
    return (forms[fitting[0]], fitting) if len(fitting) == 1 else (None, fitting or [*forms])

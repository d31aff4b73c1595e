"""The form of a record against the schema that ships, and what is refused by a form."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest

from opperf.core.errors import UsageError
from opperf.core.results.forms import NUMBER, TEXT, WHOLE, Field, Form, check, list_of, object_of
from opperf.core.results.validation import ENVIRONMENT, RECORD

if TYPE_CHECKING:
    from collections.abc import Iterator

TYPES: dict[str, set[type]] = {
    "string": {str}, "integer": {int}, "number": {int, float}, "boolean": {bool},
    "null": {type(None)}, "array": {list}, "object": {dict},
}  # fmt: skip


def places(schema: Any, field: Field, place: str) -> Iterator[tuple[str, Any, Field]]:
    """Yield each place of a schema with the field of the form that it is."""
    yield place, schema, field
    inner = field.within
    if "items" in schema and isinstance(inner, Form):
        yield from places(schema["items"], Field((dict,), inner), f"{place}[]")
    elif "items" in schema:
        assert isinstance(inner, Field), place
        yield f"{place}[]", schema["items"], inner
    for name, part in schema.get("properties", {}).items():
        assert isinstance(inner, Form), place
        if name != "schema":
            assert name in inner.fields, f"{place}.{name} has no field"
            yield from places(part, inner.fields[name], f"{place}.{name}")


def types_of(schema: Any) -> set[type]:
    """Return the types that a schema allows."""
    if "enum" in schema or "const" in schema:
        return {type(value) for value in schema.get("enum", [schema.get("const")])}
    kinds = schema["type"]
    names = [kinds] if isinstance(kinds, str) else kinds
    return set().union(*(TYPES[name] for name in names))


def test_the_form_has_every_field_of_the_schema_in_its_types() -> None:
    """Else a reader would refuse what this version writes, or look into what nobody checked."""
    path = files("opperf.core.results") / "result.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    found = [*places(schema, object_of(RECORD), "record")]
    assert len(found) > 100
    for place, part, field in found:
        assert types_of(part) <= {*field.types}, place
        if "properties" in part and place != "record.environment":
            assert isinstance(field.within, Form)
            fields = field.within.fields.items()
            needed = {name for name, inner in fields if not inner.optional}
            assert needed <= {*part["required"]}, f"{place} asks for more"


def test_what_readers_look_at_of_an_environment_may_be_missing() -> None:
    """No version's environments are refused for what they lack."""
    check("", {}, ENVIRONMENT)


FORM = Form(
    {
        "name": TEXT,
        "count": WHOLE.at_least(1),
        "times": list_of(NUMBER, 2),
        "within": object_of(Form({"texts": list_of(TEXT)})).or_absent,
        "open": object_of(TEXT).or_absent,
    },
    closed=True,
)
SOUND: dict[str, Any] = {"name": "a", "count": 1, "times": [1, 2.5]}


@pytest.mark.parametrize(
    "more",
    [{}, {"within": None}, {"within": {"texts": []}}, {"open": {"x": "y"}}, {"times": [1e300, 0]}],
)
def test_what_is_of_the_form_is_taken(more: dict[str, Any]) -> None:
    """Whatever may be missing, missing or not."""
    check("", SOUND | more, FORM)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": 3}, "field 'x.name' must be str, not int"),
        ({"name": None}, "field 'x.name' must be str, not null"),
        ({"count": True}, "field 'x.count' must be int, not bool"),
        ({"count": 0}, "field 'x.count' must be a finite number from 1"),
        ({"count": 10**301}, "field 'x.count' must be a finite number"),
        ({"times": [1.0]}, "field 'x.times' must hold 2 items, not 1"),
        ({"times": [1.0, float("nan")]}, "field 'x.times[]' must be a finite number"),
        ({"times": [1.0, float("-inf")]}, "field 'x.times[]' must be a finite number"),
        ({"times": [1.0, 1e301]}, "field 'x.times[]' must be a finite number"),
        ({"times": [1.0, "x"]}, "field 'x.times[]' must be int or float, not str"),
        ({"times": [1.0, True]}, "field 'x.times[]' must be int or float, not bool"),
        ({"within": []}, "field 'x.within' must be dict or null, not list"),
        ({"within": {}}, "field 'x.within.texts' is missing"),
        ({"within": {"texts": [[]]}}, "field 'x.within.texts[]' must be str, not list"),
        ({"open": {"y": 5}}, "field 'x.open[]' must be str, not int"),
        ({"more": 5}, "field 'x.more' is unknown"),
    ],
)
def test_what_is_not_is_refused(changes: dict[str, Any], said: str) -> None:
    """The line names the place, what is there and what may be."""
    with pytest.raises(UsageError, match=re.escape(said)):
        check("x.", SOUND | changes, FORM)

"""Expressions of experiment files: what they amount to, and what they never do."""

from __future__ import annotations

import math
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opperf.core.errors import UsageError
from opperf.networks.experiments.evaluation import MOST_BITS, MOST_CHARACTERS
from opperf.networks.experiments.expression import DEEPEST, LONGEST, evaluate


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'true' if 'inference'=='inference' else 'false'", "true"),
        ("'a' if not '' else 'b'", "a"),
        ("'' if not 'x' else 'y' if False is False else 'z'", "y"),
        ("1 + 2 * 3 - 4 / 2", 5.0),
        ("7 // 2 + 7 % 2 + 2 ** 3", 12),
        ("-3 + +2", -1),
        ("max(1, 2.5, 2)", 2.5),
        ("min('b', 'a')", "a"),
        ("len('four') * int('2') + float('0.5')", 8.5),
        ("str(16) + 'a' * 3", "16aaa"),
        ("1 < 2 < 3 and 3 >= 3 and 1 != 2", True),
        ("1 < 2 > 5", False),
        ("'b' in 'abc' and 'x' not in 'abc'", True),
        ("None is None and True is not False", True),
        ("'' or 'default'", "default"),
        ("1 and 0 and nobody", 0),
        ("True or nobody", True),
        ("1 if True else nobody", 1),
    ],
)
def test_an_expression_is_what_python_would_say(text: str, expected: object) -> None:
    """Including what is not looked at because something before it decides."""
    value = evaluate(text)
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("__import__('os')", "unknown function '__import__'"),
        ("flaot('1')", "did you mean 'float'?"),
        ("open('/etc/passwd')", "unknown function"),
        ("'a'.upper()", "unknown function 'Attribute'"),
        ("().__class__", "Attribute is not allowed"),
        ("name", "the name 'name' is not allowed"),
        ("[1, 2]", "List is not allowed"),
        ("{1: 2}", "Dict is not allowed"),
        ("(1, 2)", "Tuple is not allowed"),
        ("lambda: 1", "Lambda is not allowed"),
        ("[x for x in 'abc']", "ListComp is not allowed"),
        ("f'{1}'", "JoinedStr is not allowed"),
        ("(x := 1)", "NamedExpr is not allowed"),
        ("'abc'[0]", "Subscript is not allowed"),
        ("1 << 62", "LShift is not allowed"),
        ("1 @ 2", "MatMult is not allowed"),
        ("~1", "Invert is not allowed"),
        ("b'a'", "neither a number nor a text"),
        ("1j", "neither a number nor a text"),
        ("...", "neither a number nor a text"),
        ("9**9**9", "too large"),
        ("2**64", "too large"),
        ("'a'*10**9", "too large"),
        ("10**9*'a'", "too large"),
        ("'a'*9999 + 'b'*9999", "too large"),
        ("'%999999999d' % 1", "Mod is for numbers"),
        ("1e308 * 10", "inf is no number"),
        ("float('nan')", "nan is no number"),
        ("(-8) ** 0.5", "is no number"),
        ("1 / 0", "division by zero"),
        ("10.0 ** 64 ** 1 ** 1 * 1e300", "inf is no number"),
        ("'a' < 1", "not supported"),
        ("len(5)", "has no len()"),
        ("max(1)", "max() takes 2 values or more"),
        ("int('7', 8)", "int() takes 1 value"),
        ("int(x='7')", "int() takes 1 value"),
        ("max(*'ab')", "Starred"),
        ("1 is 1", "`is` compares with True, False and None"),
        ("'a' 1", "not an expression"),
        ("1; 2", "not an expression"),
        ("", "not an expression"),
        ("x = 1", "not an expression"),
        ("\0", "not an expression"),
        ("(" * 300 + "1" + ")" * 300, "not an expression"),
        ("9" * 5000, "more than 2000 characters"),
        ("-" * (DEEPEST + 1) + "1", "nested deeper"),
        ("not " * 400 + "1", "nested deeper"),
        ("+".join("1" * 800), "nested deeper"),
    ],
)  # fmt: skip
def test_everything_else_is_refused_in_one_line(text: str, said: str) -> None:
    """Nothing is executed, and nothing grows large on the way to the refusal."""
    with pytest.raises(UsageError, match=r".") as caught:
        evaluate(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_references_are_values_and_no_text_of_the_expression() -> None:
    """A quote in a value ends no text; outside quotes a reference has its type."""
    marks = {"m_0_": "it's \\ '+'", "m_1_": False, "m_10_": 3}
    assert evaluate("'<m_0_>'", marks) == "<it's \\ '+'>"
    assert evaluate("m_1_ is False and m_10_ > 2", marks) is True
    assert evaluate("'m_1_m_10_'", marks) == "False3"
    with pytest.raises(UsageError, match="too large"):
        evaluate("'m_0_m_0_'", {"m_0_": "x" * MOST_CHARACTERS})


PIECES = (
    "'a'", '"b"', "1", "0", "2.5", "9", "True", "None", "False", "mark", "(", ")", "+", "-", "*",
    "**", "/", "//", "%", " if ", " else ", " and ", " or ", " not ", " is ", " in ", "==", "<",
    ">", ",", "max(", "min(", "len(", "int(", "float(", "str(", "__import__(", ".", "[", "]", "{",
    "}", "lambda ", ":", "f'", "\\", "\n", "`", "$", "\0", "é", "9e99", "'''",
)  # fmt: skip


@settings(deadline=None, max_examples=300)
@given(
    st.one_of(
        st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
        st.text(alphabet=string.printable, max_size=60),
    )
)
def test_any_text_is_a_bounded_value_or_one_line(text: str) -> None:
    """Whatever it is made of, it neither raises something else nor grows."""
    try:
        value = evaluate(text, {"mark": 3})
    except UsageError as error:
        assert str(error).isprintable()  # noqa: PT017 - any of many errors
        return
    assert value is None or isinstance(value, (bool, int, float, str))
    if isinstance(value, str):
        assert len(value) <= MOST_CHARACTERS
    elif isinstance(value, int):
        assert value.bit_length() <= MOST_BITS
    elif isinstance(value, float):
        assert math.isfinite(value)


numbers = st.integers(-99, 99) | st.floats(-99, 99, allow_subnormal=False)


@settings(deadline=None, max_examples=200)
@given(
    st.recursive(
        numbers.map("({!r})".format) | st.sampled_from(["True", "'a'", "''", "None"]),
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["+", "-", "*", "==", "!="]), inner).map("".join),
            st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} else {t[2]})"),
            st.tuples(inner, st.sampled_from([" and ", " or "]), inner).map("".join),
            inner.map(lambda one: f"(not {one})"),
        ),
        max_leaves=6,
    )
)  # fmt: skip
def test_what_is_allowed_agrees_with_python(text: str) -> None:
    """Of expressions made by a grammar, whose evaluation by Python itself is safe."""
    if len(text) > LONGEST:
        return
    try:
        expected = eval(text, {"__builtins__": {}}, {})  # noqa: S307 - made above
    except TypeError:
        with pytest.raises(UsageError):
            evaluate(text)
        return
    value = evaluate(text)
    assert value == expected
    assert type(value) is type(expected)
